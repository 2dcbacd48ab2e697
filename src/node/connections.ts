import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A server's connections, which it can close without losing a request. */
export interface Connections {
  /** Counts a request until its response is sent. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the response to this request is the last one on its connection. */
  readonly endsWith: (request: IncomingMessage) => Promise<boolean>;
  /** Accepts no more connections, answers the requests on the open ones, and closes them. */
  readonly close: (graceMs: number) => Promise<void>;
}

interface Connection {
  unanswered: number;
  latest?: IncomingMessage;
  /** When the last request was answered, and how many bytes had arrived by then. */
  idleSince: number;
  bytesRead: number;
}

/** How long a request that is on its way when the server closes may take to arrive. */
const QUIET_MS = 500;
const SWEEP_MS = 50;
/** The backlog that Node requests from the operating system. */
const MOST_BACKLOG = 511;

export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  let isClosing = false;
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    open.set(socket, { unanswered: 0, idleSince: performance.now(), bytesRead: 0 });
    socket.once('close', () => open.delete(socket));
  });

  return {
    begin: (request, response) => {
      const { socket } = request;
      const connection = open.get(socket);
      if (connection === undefined) return;
      connection.unanswered += 1;
      connection.latest = request;
      response.once('close', () => {
        connection.unanswered -= 1;
        connection.idleSince = performance.now();
        connection.bytesRead = socket.bytesRead;
      });
    },
    endsWith: async (request) => {
      if (!isClosing) return false;
      await allRead();
      return open.get(request.socket)?.latest === request;
    },
    close: async (graceMs) => {
      isClosing = true;
      const deadline = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, graceMs);
      const quietMs = Math.min(QUIET_MS, graceMs / 2);
      // The operating system has already established connections. Node accepts them one at a time.
      for (let before = -1, turns = 0; accepted > before && turns < MOST_BACKLOG; turns++) {
        before = accepted;
        await allRead();
      }
      const started = performance.now();
      const endQuiet = () => {
        for (const [socket, { unanswered, idleSince, bytesRead }] of open) {
          const isQuiet = unanswered === 0 && socket.bytesRead === bytesRead;
          if (isQuiet && performance.now() - Math.max(started, idleSince) >= quietMs) socket.destroySoon();
        }
      };
      const sweep = setInterval(() => void allRead().then(endQuiet), SWEEP_MS);
      try {
        // The HTTP server's close would cut off idle connections, and with them requests that are about to be read.
        server.closeIdleConnections = () => {};
        await new Promise<void>((resolve, reject) => {
          server.close((error) => (error ? reject(error) : resolve()));
        });
      } finally {
        clearInterval(sweep);
        clearTimeout(deadline);
      }
    },
  };
}

/** Waits until everything that has arrived at the sockets is read: this round of the event loop and the next. */
const allRead = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
