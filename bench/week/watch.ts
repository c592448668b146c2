import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { accessKeysOf, type QueueName, queueNames } from '../../shared/contract/stack-outputs.ts';
import { memoryByProgram } from '../support/process-tree.ts';
import { quantile } from '../support/quantile.ts';
import type { ServiceFigures, WeekService } from './service.ts';

export type Hour = {
  readonly hour: number;
  readonly memory_mib: Readonly<Record<string, number>>;
  /** The most messages that a queue held in any sample. */
  readonly depth: Readonly<Record<string, number>>;
  /** Seconds that messages waited in their queue: the median and the most. */
  readonly waited: Readonly<Record<string, readonly [median: number, most: number]>>;
  readonly drained_seconds: number;
  readonly cpu_seconds: number;
};

export type Watch = {
  readonly hours: readonly Hour[];
  readonly failures: readonly string[];
  /** MiB of heaps in use after a collection of garbage, by thread, day by day. */
  readonly heaps: readonly Readonly<Record<string, number>>[];
  readonly stored: readonly Readonly<Record<string, number>>[];
  readonly beginHour: () => void;
  /** Waits until the queues are empty; answers how many seconds that took, null if it took too long. */
  readonly drain: (isOpen: () => Promise<boolean>) => Promise<number | null>;
  readonly endHour: (hour: number, drained: number) => Promise<Hour>;
  readonly endDay: () => Promise<void>;
  readonly deadLetters: () => Promise<Readonly<Record<string, number>>>;
  readonly stop: () => void;
};

const mebibytes = (bytes: number): number => bytes / 2 ** 20;

export function watchService(service: WeekService): Watch {
  const { local } = service.credentials;
  const sqs = new SQSClient({ region: local.region, endpoint: local.endpoints.sqs, credentials: accessKeysOf(local) });
  const hours: Hour[] = [];
  const failures: string[] = [];
  const heaps: Record<string, number>[] = [];
  const stored: Readonly<Record<string, number>>[] = [];
  let depth: Record<string, number> = {};

  const heldBy = async (url: string): Promise<number> => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    return Object.values(Attributes).reduce((sum, one) => sum + Number(one), 0);
  };
  const look = async (): Promise<number> => {
    const held = await Promise.all(queueNames.map((name) => heldBy(local[`${name}_queue_url`])));
    for (const [index, name] of queueNames.entries()) depth[name] = Math.max(depth[name] ?? 0, held[index] ?? 0);
    return held.reduce((sum, one) => sum + one, 0);
  };
  // Not while the clock moves on: a client would correct its own by the difference.
  let burst = true;
  const looking = setInterval(() => void (burst && look().catch(() => undefined)), 1_000);

  return {
    hours,
    failures,
    heaps,
    stored,
    beginHour: () => {
      burst = true;
    },
    drain: async (isOpen) => {
      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1_000;
      while ((await look()) > 0 || (await isOpen())) {
        if (seconds() > 300) return null;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return seconds();
    },
    endHour: async (hour, drained_seconds) => {
      burst = false;
      const figures = await service.figures();
      failures.splice(0, failures.length, ...figures.failures);
      const ended = {
        hour,
        memory_mib: memoryByProgram(service.pid),
        depth,
        waited: waitsIn(figures),
        drained_seconds,
        cpu_seconds: cpuOf(figures),
      };
      hours.push(ended);
      depth = {};
      return ended;
    },
    endDay: async () => {
      const { main, threads } = await service.figures('after garbage');
      const sums: Record<string, number> = {};
      for (const { name, heap_bytes, external_bytes } of [main, ...threads.filter(({ lives }) => lives)])
        sums[name] = (sums[name] ?? 0) + mebibytes(heap_bytes + external_bytes);
      heaps.push(sums);
      stored.push(
        Object.fromEntries(Object.entries(service.storedBytes()).map(([of, bytes]) => [of, mebibytes(bytes)])),
      );
    },
    deadLetters: async () =>
      Object.fromEntries(
        await Promise.all(
          queueNames.map(
            async (name: QueueName) => [name, await heldBy(local[`${name}_dead_letter_queue_url`])] as const,
          ),
        ),
      ),
    stop: () => {
      clearInterval(looking);
      sqs.destroy();
    },
  };
}

const queueOf = (name: string): string => queueNames.find((queue) => name.toLowerCase().includes(queue)) ?? name;

function waitsIn({ waits }: ServiceFigures): Hour['waited'] {
  return Object.fromEntries(
    Object.entries(waits).map(([name, all]) => {
      const seconds = all.map((ms) => ms / 1_000);
      return [queueOf(name), [quantile(seconds, 0.5), Math.max(...seconds)] as const];
    }),
  );
}

const cpuOf = ({ main, threads }: ServiceFigures): number =>
  [main, ...threads].reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
