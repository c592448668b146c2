import { pathToFileURL } from 'node:url';

/** Plays the Lambda runtime for one invocation of the bundle that is named; most memory is kilobytes on Linux. */
const [, , file = ''] = process.argv;
const { handler } = await import(pathToFileURL(file).href);
process.once('message', async ({ event }: { event: unknown }) => {
  const context = {
    awsRequestId: 'bench',
    functionName: 'bench',
    memoryLimitInMB: '3008',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
    getRemainingTimeInMillis: () => 300_000,
  };
  const start = performance.now();
  const result = await handler(event, context);
  const seconds = (performance.now() - start) / 1_000;
  process.send?.({ result, seconds, peakMiB: process.resourceUsage().maxRSS / 1_024 });
});
