import { pathToFileURL } from 'node:url';

/** Plays the Lambda runtime for one bundle: an event after the other, each with the time at which it has to be over. */
const [, , file = ''] = process.argv;
const { handler } = await import(pathToFileURL(file).href);
process.on('message', async ({ event, deadline }: { event: unknown; deadline: number }) => {
  const context = {
    awsRequestId: 'bench',
    functionName: 'bench',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  const result = await handler(event, context);
  const { user, system } = process.cpuUsage();
  const peakMiB = process.resourceUsage().maxRSS / 1_024;
  process.send?.({ result, cpuSeconds: (user + system) / 1e6, peakMiB });
});
process.send?.({ result: 'ready', cpuSeconds: 0, peakMiB: 0 });
