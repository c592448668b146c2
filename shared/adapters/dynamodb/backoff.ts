import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../contract/fault.ts';
import { isThrottled } from './throttling.ts';

export const maxAttempts = 8;
const [firstMs, maxMs] = [25, 1_000];

/** At random, up to a bound that doubles. */
const pauseMs = (attempt: number): number => Math.random() * Math.min(maxMs, firstMs * 2 ** attempt);

/** Waits where an attempt was throttled, however many were before it; false of any other error. */
export async function waitOut(error: unknown, attempt: number): Promise<boolean> {
  if (!isThrottled(error)) return false;
  await delay(pauseMs(attempt));
  return true;
}

/** Waits before an attempt that follows `attempt` others without progress. */
export async function backoff(attempt: number): Promise<void> {
  if (attempt === 0) return;
  if (attempt >= maxAttempts) throw new Fault('store_throttled', 'the table took no part of a batch, time and again');
  await delay(pauseMs(attempt));
}
