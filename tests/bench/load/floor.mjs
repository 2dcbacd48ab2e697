// The floor: a bare node:http handler that parses the same request and answers the same bytes.
import { createServer } from 'node:http';

const [answer = ''] = process.argv.slice(2);
const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    if (JSON.parse(text).mint === undefined) response.statusCode = 400;
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
});
// As many may wait for it as for the server.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => console.log(server.address().port));
