import type { ProblemCode } from '../../../contract/problems.ts';
import type { Disposition } from '../../policy/disposition.ts';

type Seen = { readonly detail: string; readonly evidence?: Readonly<Record<string, unknown>> };

/** What was found of one link; `code` is what a request is refused with, `remedy` what would remedy it. */
export type Finding =
  | (Seen & { readonly status: 'ok' | 'unknown' | 'skipped' })
  | (Seen & { readonly status: 'broken'; readonly code: ProblemCode | Disposition; readonly remedy: string });
