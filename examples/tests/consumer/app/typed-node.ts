// The entry point that needs Node.
import { type RunningServer, startServer } from 'heaven-pools/node';

export const start: typeof startServer = startServer;
export const close = (server: RunningServer): Promise<void> => server.close();
