import { enableCompileCache } from 'node:module';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { Fault } from '../../shared/contract/problems.ts';
import type { FromThread, ResponseHead, ThreadData, ToThread } from './messages.ts';

class ResponseStream extends Writable {
  readonly ended: Promise<void>;
  readonly #id: string;
  readonly #send: (message: FromThread) => void;
  #next: ((error?: Error) => void) | null = null;
  #headSent = false;

  constructor(id: string, send: (message: FromThread) => void) {
    super({ highWaterMark: 256 * 1024 });
    this.#id = id;
    this.#send = send;
    this.ended = finished(this);
    this.ended.catch(() => undefined); // Awaited by the invocation too, which reports it.
  }

  sendHead(head: ResponseHead): void {
    if (this.#headSent) return;
    this.#headSent = true;
    this.#send({ kind: 'head', id: this.#id, head });
  }

  /** The AWS runtime has this in addition to the stream's own methods. */
  setContentType(type: string): void {
    this.sendHead({ statusCode: 200, headers: { 'content-type': type } });
  }

  taken(removed: boolean): void {
    const next = this.#next;
    this.#next = null;
    if (removed) this.destroy(new Fault('stream_reader_gone', 'The reader of the streamed reply has gone.'));
    else next?.();
  }

  override _writev(chunks: { chunk: Buffer }[], next: (error?: Error) => void): void {
    this.sendHead({});
    this.#next = next;
    this.#send({ kind: 'chunk', id: this.#id, chunk: Buffer.concat(chunks.map(({ chunk }) => chunk)) });
  }

  override _final(done: () => void): void {
    this.sendHead({});
    done();
  }
}

// The entry of a function's thread: it plays the Lambda runtime around one bundle.

enableCompileCache();

type Handler = (event: unknown, context: unknown) => Promise<unknown>;
type StreamingHandler = (event: unknown, stream: ResponseStream, context: unknown) => Promise<unknown>;

const streaming = new WeakSet<object>();
const streams = new Map<string, ResponseStream>();
const port = parentPort;
const { file, name, arn, memoryMiB }: ThreadData = workerData;

const runtime = {
  streamifyResponse(handler: StreamingHandler): StreamingHandler {
    streaming.add(handler);
    return handler;
  },
  HttpResponseStream: {
    from(stream: ResponseStream, head: { statusCode?: number; headers?: Record<string, string> }): ResponseStream {
      stream.sendHead(head);
      return stream;
    },
  },
};
// The SDK may have made the object itself, without these.
Object.assign(Reflect.get(globalThis, 'awslambda') ?? Object.assign(globalThis, { awslambda: {} }).awslambda, runtime);

const loading: Promise<{ handler: Handler & StreamingHandler }> = import(pathToFileURL(file).href);

port?.on('message', (message: ToThread) => {
  if (message.kind === 'taken') streams.get(message.id)?.taken(message.gone);
  else {
    follow(message.trace);
    void invoke(message.id, message.event, message.deadline);
  }
});

/** Clients of AWS hand on the trace that the runtime puts here: a thread that is traced has one event at a time. */
function follow(trace: string | null): void {
  if (trace === null) return;
  process.env['AWS_LAMBDA_FUNCTION_NAME'] = name;
  process.env['_X_AMZN_TRACE_ID'] = trace;
}

async function invoke(id: string, event: unknown, deadline: number): Promise<void> {
  try {
    const { handler } = await loading;
    const context = contextOf(id, deadline);
    send({
      kind: 'done',
      id,
      result: streaming.has(handler) ? await stream(handler, id, event, context) : await handler(event, context),
    });
  } catch (error) {
    send({ kind: 'failed', id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function stream(handler: StreamingHandler, id: string, event: unknown, context: unknown): Promise<undefined> {
  const response = new ResponseStream(id, send);
  streams.set(id, response);
  try {
    await handler(event, response, context);
    await response.ended;
  } finally {
    streams.delete(id);
  }
}

const contextOf = (id: string, deadline: number) => ({
  awsRequestId: id,
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: arn,
  memoryLimitInMB: String(memoryMiB),
  logGroupName: name,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

function send(message: FromThread): void {
  port?.postMessage(message);
}
