import { enableCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import { ResponseStream } from './response-stream.ts';

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
