import type { DatasetEvent, JobEvent, RunEvent } from '../event.ts';

type Finding = { readonly instancePath: string; readonly message?: string };
type Check<T> = ((value: unknown) => value is T) & { readonly errors?: readonly Finding[] | null };

export const isRunEvent: Check<RunEvent>;
export const isJobEvent: Check<JobEvent>;
export const isDatasetEvent: Check<DatasetEvent>;

/** The checks of the standard facets, by where they attach and by their key. */
export const facetChecks: Readonly<
  Record<'run' | 'job' | 'dataset' | 'input' | 'output', ReadonlyMap<string, Check<unknown>>>
>;
