import type { FunctionSpec } from './function-specs.ts';

/** The share of a function's memory that the old generation of the heap may fill; buffers and code need the rest. */
const oldShare = 0.85;
/** The share of one half of the young generation, which V8 keeps three times. */
const semiSpaceShare = 0.05;

/**
 * The options that Node starts with. Lambda sizes the heap itself only if `NODE_OPTIONS` names neither generation: V8 would
 * then stop at half of the memory. V8 rounds a half of the young generation up to a power of two, so this rounds down.
 */
export function nodeOptions({ memoryMiB, semiSpaceMiB }: Pick<FunctionSpec, 'memoryMiB' | 'semiSpaceMiB'>): string {
  const semiSpace = semiSpaceMiB ?? 2 ** Math.floor(Math.log2(memoryMiB * semiSpaceShare));
  const sizes = [`--max-old-space-size=${Math.floor(memoryMiB * oldShare)}`, `--max-semi-space-size=${semiSpace}`];
  return ['--enable-source-maps', ...sizes].join(' ');
}
