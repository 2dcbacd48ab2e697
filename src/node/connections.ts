import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** The connections of a server, which know how to end without losing a request. */
export interface Connections {
  /** Counts a request until its answer is sent. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the answer to a request is the last one on its connection. */
  readonly endsWith: (request: IncomingMessage) => Promise<boolean>;
  /** Takes no more connections, answers what was sent on the open ones, and ends them. */
  readonly close: (graceMs: number) => Promise<void>;
}

interface Connection {
  unanswered: number;
  latest?: IncomingMessage;
  /** Since when nothing is unanswered, and how many bytes had come by then. */
  idleSince: number;
  bytesRead: number;
}

/** A request that is on its way when the server closes has this long to arrive. */
const QUIET_MS = 500;
const SWEEP_MS = 50;
/** How many connections may wait to be accepted, as Node asks of the system. */
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
      // The system has made connections that wait to be accepted, which happens one at a time.
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
        await new Promise<void>((resolve, reject) => {
          // Without what an HTTP server adds: it would cut off idle connections, and requests that are about to be read.
          NetServer.prototype.close.call(server, (error) => (error ? reject(error) : resolve()));
        });
      } finally {
        clearInterval(sweep);
        clearTimeout(deadline);
        // Now all of it, for its timers.
        server.close();
      }
    },
  };
}

/** Until what has arrived at the sockets is read: the rest of this round of the event loop, and the next one. */
const allRead = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
