import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../contract/fault.ts';

export const maxAttempts = 8;
const [firstMs, maxMs] = [25, 1_000];

/** Waits before an attempt that follows `attempt` others without progress: at random, up to a bound that doubles. */
export async function backoff(attempt: number): Promise<void> {
  if (attempt === 0) return;
  if (attempt >= maxAttempts) throw new Fault('store_throttled', 'the table took no part of a batch, time and again');
  await delay(Math.random() * Math.min(maxMs, firstMs * 2 ** attempt));
}
