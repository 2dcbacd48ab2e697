// Loaded before the server: collects its garbage when asked to.
process.on('SIGUSR2', () => globalThis.gc());
