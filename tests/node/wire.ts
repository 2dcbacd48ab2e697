import { connect, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';

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

/** A keep-alive connection that counts what it sends and what is answered in full. */
export function keepAlive(port: number) {
  const { socket, opened, ended } = open(port);
  const connection = {
    sent: 0,
    answered: 0,
    /** Whether the server said that this connection ends. */
    isLast: false,
    /** Called after each answer. */
    onAnswer: () => {},
    opened,
    ended,
    /** Sends a whole request. */
    send: (path: string) => {
      connection.sent += 1;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    },
  };
  let text = '';
  socket.setNoDelay(true).on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = text.slice(0, end);
      const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1]);
      if (text.length < end + length) return;
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      text = text.slice(end + length);
      connection.answered += 1;
      connection.isLast ||= /^connection: close\r$/im.test(head);
      connection.onAnswer();
    }
  });
  return connection;
}
