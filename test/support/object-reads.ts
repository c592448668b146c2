import { AsyncLocalStorage } from 'node:async_hooks';
import { s3 } from '../../shared/adapters/aws.ts';
import { once } from '../../shared/domain/base/caching.ts';

/** One object, or a range of one, that was read: its key, and how many bytes were answered. */
export type ObjectRead = { readonly key: string; readonly bytes: number };

const counting = new AsyncLocalStorage<ObjectRead[]>();

/** What this process reads of its buckets, noted from the first call on. */
const watch = once(() =>
  s3().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answered = await next(args);
        const { Key: key = '' } = args.input as { readonly Key?: string };
        const { headers = {} } = answered.response as { readonly headers?: Readonly<Record<string, string>> };
        if (commandName === 'GetObjectCommand')
          counting.getStore()?.push({ key, bytes: Number(headers['content-length']) });
        return answered;
      },
    { step: 'deserialize', priority: 'high' },
  ),
);

/** The objects that were read on behalf of `work`, in order; of those that are not there, nothing. */
export async function objectReadsOf<T>(work: () => Promise<T>): Promise<{ answer: T; reads: readonly ObjectRead[] }> {
  watch();
  const reads: ObjectRead[] = [];
  return { answer: await counting.run(reads, work), reads };
}
