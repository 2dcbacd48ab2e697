// Callers that send more than they read: how long others wait beside them, and how much memory they take.
import { connect } from 'node:net';

const CONNECTIONS = 10;
const BYTES = 65_536;
const request = 'GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1:3000\r\nconnection: keep-alive\r\n\r\n';

/**
 * Opens ten connections that each send 64 KB of requests and read no answer, and asks for `/healthz` beside them.
 *
 * @param url the server's
 * @param megabytes its resident memory now
 * @param seconds for how long to look
 */
export async function besideUnread(url, megabytes, seconds = 5) {
  const { hostname, port } = new URL(url);
  const before = megabytes();
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname).pause());
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write(request.repeat(BYTES / request.length));
  }
  let [slowestMs, most] = [0, before];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const started = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    slowestMs = Math.max(slowestMs, performance.now() - started);
    most = Math.max(most, megabytes());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const socket of sockets) socket.destroy();
  return { slowestMs, grownMegabytes: most - before };
}
