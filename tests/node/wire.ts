import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';

const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** A connection, and what came over it. */
export interface Wire {
  readonly socket: Socket;
  readonly opened: Promise<unknown>;
  readonly received: () => string;
  /** What came until the end of the connection. */
  readonly ended: Promise<string>;
}

/** Opens a connection, which ends with the test, and sends a text over it. */
export function open(port: number, text = ''): Wire {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  sockets.add(socket);
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  // A server that is done with a connection may also reset it.
  socket.on('error', () => {});
  const opened = new Promise((resolve) => socket.once('connect', resolve));
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  if (text !== '') socket.write(text);
  return { socket, opened, received: () => received, ended };
}
