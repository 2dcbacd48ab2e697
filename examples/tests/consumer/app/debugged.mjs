// A debugger and what it debugs: stops the quote at a line of a file of the package, given as its URL, line and column from 0 on, and
// prints where it stopped.
import { once } from 'node:events';
import { Session } from 'node:inspector';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const debugger_ = new Worker(new URL(import.meta.url), { workerData: process.argv.slice(2) });
  await once(debugger_, 'message');
  const { quote } = await import('./quote.mjs');
  await quote();
  await debugger_.terminate();
} else {
  const [url, line, column] = workerData;
  const session = new Session();
  session.connectToMainThread();
  // A session alone doesn't keep its thread alive.
  setInterval(() => {}, 1_000);
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    console.log(JSON.stringify(callFrames[0].location));
    session.post('Debugger.disable');
  });
  session.post('Debugger.enable');
  const place = { url, lineNumber: Number(line), columnNumber: Number(column) };
  session.post('Debugger.setBreakpointByUrl', place, () => parentPort.postMessage('set'));
}
