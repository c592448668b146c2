import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Figure = v.object({ value: v.number(), unit: v.string(), command: v.string(), of: v.string() });
const names = [
  'collect_cpu_ms',
  'store_event_cpu_ms',
  'event_ledger_writes',
  'accept_cpu_ms',
  'accept_requests',
  'accept_reads',
  'accept_writes',
  'project_cpu_ms',
  'project_requests',
  'project_reads',
  'project_writes',
  'popular_item_writes',
  'activity_item_writes',
  'summary_item_writes',
  'new_columns_writes',
  'registry_reads_of_acceptance',
  'registry_reads_of_projection',
  'entry_writes',
  'archive_cpu_ms',
  'archive_writes',
  'sweep_reads',
  'answer_cpu_ms',
  'answer_requests',
  'answer_reads',
  'registry_reads_of_answer',
  'edge_cpu_ms',
  'sweep_cpu_ms_of_delivery',
  'sweep_cpu_ms_of_workspace',
] as const;
type Name = (typeof names)[number];

const Figures = v.object({
  date: v.pipe(v.string(), v.isoDate()),
  machine: v.string(),
  figures: v.object(Object.fromEntries(names.map((name) => [name, Figure])) as Record<Name, typeof Figure>),
});

export type Figures = Readonly<Record<Name, number>>;

/** What the benches measured, each figure with the command that measures it again. */
export const measured = v.parse(Figures, JSON.parse(readFileSync(new URL('./figures.json', import.meta.url), 'utf8')));

export const figures = Object.fromEntries(names.map((name) => [name, measured.figures[name].value])) as Figures;
