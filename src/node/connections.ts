import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often to look at the connections. */
const LOOK_MS = 500;

/** How many requests of a connection are in work. A caller can send thousands at once, and read none of the answers. */
const MOST_IN_WORK = 8;

/** What one read of a connection can't hold. Reading the bodies of requests in work lets in more of those that wait. */
const MOST_WAITING = 4_096;

/** A connection with requests that aren't answered. */
interface Connection {
  inWork: number;
  readonly waiting: Parameters<RequestListener>[];
  /** Whether parts of an answer wait for the caller to read. */
  isUnread: boolean;
}

/**
 * The requests of each connection: how many are in work, whether the answers are read, and when all are answered, so that the server can
 * close. Node's own `close` cuts off answers that are still being sent, and waits for connections that never send a request.
 */
export class Connections {
  readonly #server: Server;
  readonly #listener: RequestListener;
  readonly #busy = new Map<Socket, Connection>();
  #isClosing = false;

  /** Ends the connection of a caller that reads nothing of an answer for so many milliseconds. */
  constructor(server: Server, listener: RequestListener, unreadMs: number) {
    this.#server = server;
    this.#listener = listener;
    server.on('request', (request, response) => this.#accept(request, response));
    // When a connection breaks, of several responses that it waits for only the first one emits `close`.
    server.on('connection', (socket) => socket.once('close', () => this.#busy.delete(socket)));
    const look = setInterval(() => this.#limitUnread(unreadMs), LOOK_MS);
    server.once('close', () => clearInterval(look));
  }

  /** Works on a request, or keeps it until others of its connection are answered. Until then nothing more is read from the connection. */
  #accept(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let connection = this.#busy.get(socket);
    if (connection === undefined) {
      connection = { inWork: 0, waiting: [], isUnread: false };
      this.#busy.set(socket, connection);
    }
    if (connection.inWork < MOST_IN_WORK) this.#work(connection, request, response);
    else {
      socket.pause();
      if (connection.waiting.push([request, response]) > MOST_WAITING) socket.destroy();
    }
  }

  #work(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const { waiting } = connection;
    connection.inWork += 1;
    response.once('close', () => {
      connection.inWork -= 1;
      const next = waiting.shift();
      // In a turn of its own, so that other connections have theirs.
      if (next) setImmediate(() => this.#work(connection, ...next));
      else socket.resume();
      if (connection.inWork === 0) this.#busy.delete(socket);
    });
    this.#listener(request, response);
  }

  /** Node ends a connection when its time has passed without a byte read or sent. */
  #limitUnread(unreadMs: number): void {
    for (const [socket, connection] of this.#busy) {
      const isUnread = socket.writableLength > 0;
      if (isUnread !== connection.isUnread) socket.setTimeout(isUnread ? unreadMs : this.#server.timeout);
      connection.isUnread = isUnread;
    }
  }

  /** Whether the response to this request is the last one on its connection. */
  endsWith({ socket }: IncomingMessage): boolean {
    const connection = this.#busy.get(socket);
    return this.#isClosing && connection?.inWork === 1 && connection.waiting.length === 0;
  }

  close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const server = this.#server;
    // Node's `close` calls it, and would cut off answers.
    server.closeIdleConnections = () => {};
    const look = setInterval(() => {
      if (this.#busy.size === 0) server.closeAllConnections();
    }, LOOK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    return new Promise((resolve, reject) => {
      server.close((error) => {
        clearInterval(look);
        clearTimeout(deadline);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
