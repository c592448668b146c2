import type { FunctionSpec } from './function-specs.ts';

/** What Node is started with. */
export const nodeOptions = ({ semiSpaceMiB }: Pick<FunctionSpec, 'semiSpaceMiB'>): string =>
  ['--enable-source-maps', ...(semiSpaceMiB ? [`--max-semi-space-size=${semiSpaceMiB}`] : [])].join(' ');
