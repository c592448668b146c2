// Stands before the DynamoDB emulator of a service and sums up the capacity that each kind of request consumes. It is
// started as the emulator would be, after the path of the socket at which it tells its figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [socket, ...args] = process.argv.slice(2);
const argument = (name) => args[args.indexOf(name) + 1];
const [host, port] = [argument('--host'), Number(argument('--port'))];
const inner = await freePort();
const folder = path.dirname(
  fileURLToPath(import.meta.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`)),
);
const program = spawn(path.join(folder, 'dynoxide'), args.with(args.indexOf('--port') + 1, String(inner)), {
  stdio: 'ignore',
});
program.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => program.kill());
while (!(await connects())) await after(5);

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const consumed = {};
createServer((request, response) => {
  forward(request, response).catch((error) => response.destroy(error));
}).listen(port, host);
createServer((_, response) => response.end(JSON.stringify(consumed))).listen(socket);

async function forward(request, response) {
  const { headers, method, url } = request;
  const isMetered = headers['x-unmetered'] === undefined && headers['x-amz-target'] !== undefined;
  const body = await buffer(request);
  const onward = send({
    host,
    port: inner,
    agent,
    method,
    path: url,
    headers: { ...headers, 'content-length': isMetered ? asking(body).length : body.length },
  });
  onward.end(isMetered ? asking(body) : body);
  const [answer] = await once(onward, 'response');
  const bytes = await buffer(answer);
  if (isMetered) count(headers['x-amz-target'].split('.')[1], bytes);
  response.writeHead(answer.statusCode, { ...answer.headers, 'content-length': bytes.length }).end(bytes);
}

/** The same request, which asks for the capacity that it consumes. */
function asking(body) {
  if (body.includes('"ReturnConsumedCapacity"')) return body;
  return Buffer.concat([Buffer.from('{"ReturnConsumedCapacity":"TOTAL",'), body.subarray(body.indexOf('{') + 1)]);
}

function count(operation, answer) {
  const from = answer.lastIndexOf('"ConsumedCapacity"');
  const stated = from < 0 ? '' : answer.subarray(from).toString('utf8');
  const units = [...stated.matchAll(/"CapacityUnits":([\d.]+)/g)].reduce((sum, [, one]) => sum + Number(one), 0);
  const { requests = 0, units: before = 0 } = consumed[operation] ?? {};
  consumed[operation] = { requests: requests + 1, units: before + units };
}

async function freePort() {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function connects() {
  const one = connect(inner, host);
  try {
    await once(one, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    one.destroy();
  }
}
