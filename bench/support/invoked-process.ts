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
    // On a machine that does other things as well, the time of a deployed function would be too short.
    getRemainingTimeInMillis: () => 3_600_000,
  };
  const [start, used] = [performance.now(), process.cpuUsage()];
  const result = await handler(event, context);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(used);
  process.send?.({
    result,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1_024,
  });
});
