import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/** How often a closing server looks whether all requests are answered. */
const LOOK_MS = 500;

/** Requests of a connection that are in work. A caller can send thousands at once, and read no response. */
const MOST_IN_WORK = 8;

interface Connection {
  inWork: number;
  /** Begins the work on each request that waits. */
  readonly waiting: (() => void)[];
}

/** The requests of each connection: how many are in work, and whether the caller reads the responses. */
export class Connections {
  readonly #server: Server;
  readonly #listener: RequestListener;
  readonly #busy = new Map<Socket, Connection>();
  #isClosing = false;

  constructor(server: Server, listener: RequestListener) {
    this.#server = server;
    this.#listener = listener;
    server.on('request', (request, response) => this.#accept(request, response));
    server.on('connection', (socket) => {
      // Node resumes it for each request that has arrived, and when responses were read.
      socket.on('resume', () => {
        if (this.#busy.get(socket)?.waiting.length) socket.pause();
      });
      socket.once('close', () => {
        // Of the responses that it waits for only the first one emits `close`, after this.
        this.#busy.get(socket)?.waiting.splice(0);
        this.#busy.delete(socket);
      });
    });
    server.on('timeout', (socket) => {
      // Otherwise the request has a time limit of its own.
      if (!this.#busy.has(socket) || socket.writableLength > 0) socket.destroy();
    });
  }

  /** Works on a request, or keeps it until others of its connection are answered. Until then nothing more is read from there. */
  #accept(...[request, response]: Parameters<RequestListener>): void {
    const { socket } = request;
    const connection = this.#busy.get(socket) ?? { inWork: 0, waiting: [] };
    this.#busy.set(socket, connection);
    const work = () => {
      response.once('close', () => this.#next(socket, connection));
      this.#listener(request, response);
    };
    if (connection.inWork < MOST_IN_WORK) {
      connection.inWork += 1;
      work();
    } else if (connection.waiting.push(work) === 1) socket.pause();
  }

  /** After a request was answered. */
  #next(socket: Socket, connection: Connection): void {
    const { waiting } = connection;
    const work = waiting.shift();
    if (work === undefined) {
      connection.inWork -= 1;
      if (connection.inWork === 0) this.#busy.delete(socket);
      return;
    }
    // In a turn of its own, so that other connections have theirs.
    setImmediate(work);
    if (waiting.length === 0) socket.resume();
  }

  /** Whether the response to this request is the last one on its connection. */
  endsWith({ socket }: IncomingMessage): boolean {
    const connection = this.#busy.get(socket);
    return this.#isClosing && connection?.inWork === 1 && connection.waiting.length === 0;
  }

  /** Closes the server when all requests are answered. Node's own `close` cuts off responses, and waits for connections without requests. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const server = this.#server;
    // Node's `close` calls it, and would cut off answers.
    server.closeIdleConnections = () => {};
    const look = setInterval(() => {
      if (this.#busy.size === 0) server.closeAllConnections();
    }, LOOK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    try {
      await promisify(server.close).call(server);
    } finally {
      clearInterval(look);
      clearTimeout(deadline);
    }
  }
}
