import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often a closing server looks whether all requests are answered. */
const LOOK_MS = 500;

/**
 * Closes a server when all requests are answered. Node's own `close` cuts off answers that are still being sent, and waits for
 * connections that never send a request.
 */
export class Connections {
  readonly #server: Server;
  readonly #unanswered = new Map<Socket, number>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    server.prependListener('request', (request, response) => this.#begin(request, response));
    // When a connection breaks, of several responses that it waits for only the first one emits `close`.
    server.on('connection', (socket) => socket.once('close', () => this.#unanswered.delete(socket)));
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const others = (this.#unanswered.get(socket) ?? 1) - 1;
      if (others > 0) this.#unanswered.set(socket, others);
      else this.#unanswered.delete(socket);
    });
  }

  /** Whether the response to this request is the last one on its connection. */
  endsWith({ socket }: IncomingMessage): boolean {
    return this.#isClosing && this.#unanswered.get(socket) === 1;
  }

  close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const server = this.#server;
    // Node's `close` calls it, and would cut off answers.
    server.closeIdleConnections = () => {};
    const look = setInterval(() => {
      if (this.#unanswered.size === 0) server.closeAllConnections();
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
