import type { ProducingStatement } from '../../graph/derivation.ts';
import { dbtStatement, sqlmeshStatement } from '../producing-statement.ts';
import type { Dataset, Job, JobEvent, RunEvent } from './event.ts';
import { textAt } from './name-rules.ts';

type IOEvent = JobEvent | RunEvent;

/** Without what dbt-ol says tests write, and without ephemeral models whose text the event shows (C-OPENLINEAGE-20). */
export function relationsOfJob<E extends IOEvent>({ job, inputs = [], outputs = [] }: E) {
  const inlined = inlinedNames(job);
  const isSeenThrough = (job.facets?.sql?.query ?? '').trim() !== '';
  const isRelation = (input: Dataset) => !inlined.has(cteOf(input)) && !(isSeenThrough && isEphemeral(input));
  return { inputs: inputs.filter(isRelation), outputs: isTest(job) ? [] : outputs };
}

/** The inputs that the job tests, as by assertions: its result feeds nothing. */
export const testedInputs = ({ job, inputs = [] }: IOEvent): readonly Dataset[] =>
  inputs.filter(
    ({ facets, inputFacets }) => isTest(job) || [facets, inputFacets].some((one) => one && assertionsKey in one),
  );
const assertionsKey = 'dataQualityAssertions';

export const isEphemeral = ({ facets }: Dataset) =>
  textAt(facets, ['dbt_model', 'config', 'materialized']) === 'ephemeral';

const cte = '__dbt__cte__';
const cteOf = ({ name }: Dataset) => `${cte}${name.slice(name.lastIndexOf('.') + 1).toLowerCase()}`;

/** The CTEs as which dbt puts ephemeral models in front of a statement: older versions mark their inputs by nothing else. */
function inlinedNames({ facets }: Job): ReadonlySet<string> {
  const [, ...rest] = (facets?.sql?.query ?? '').toLowerCase().split(cte);
  return new Set(rest.map((text) => cte + (text.split(/\W/, 1)[0] ?? '')));
}

const integrationOf = ({ facets }: Job) => facets?.jobType?.integration?.toUpperCase() ?? '';

const isTest = (job: Job) => integrationOf(job) === 'DBT' && textAt(job.facets, ['jobType', 'jobType']) === 'TEST';

/** The model's statement by the integrations of dbt and SQLMesh (C-EVIDENCE-7); null for no model or several. */
export function statementOfJob(event: IOEvent): ProducingStatement | null {
  const { job, producer, outputs = [] } = event;
  if (outputs.length !== 1 || isTest(job)) return null;
  const text = job.facets?.sql?.query ?? null;
  if (/sqlmesh/i.test(producer)) return sqlmeshStatement(job.name, text);
  const uniqueId = textAt(job.facets, ['dbt_node', 'unique_id']) ?? uniqueIdOf(event);
  return uniqueId === null ? null : dbtStatement(uniqueId, text);
}

/** The `unique_id` of a dbt node by the name of its job, for versions that do not state it. */
function uniqueIdOf(event: IOEvent): string | null {
  const parts = event.job.name.split('.');
  if (integrationOf(event.job) === 'DBT') {
    // Structured logs: `model.project.name`; else `database.schema.project.name`, and what the command adds.
    if (dbtTypes.has(parts[0] ?? '')) return event.job.name;
    const [last, before] = [parts.at(-1) ?? '', parts.at(-2)];
    const suffixes = before === 'build' && commands.has(last) ? 2 : last === 'snapshot' ? 1 : 0;
    return nodeNamed(suffixes === 0 ? parts : parts.slice(0, -suffixes), null);
  }
  // A task of an orchestrator: `dag.group.name.run` or `dag.name_run`.
  const project = 'run' in event ? textAt(event.run.facets, ['dbt_run', 'project_name']) : null;
  if (project === null) return null;
  const task = commands.has(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts.map(withoutCommand);
  return nodeNamed(task, project);
}

const dbtTypes: ReadonlySet<string> = new Set(['model', 'seed', 'snapshot']);
const commands: ReadonlySet<string> = new Set(['run', 'seed', 'snapshot']);

function withoutCommand(part: string): string {
  const command = [...commands].find((one) => part.endsWith(`_${one}`));
  return command ? part.slice(0, -command.length - 1) : part;
}

/** @param project null: the part in front of the name */
function nodeNamed(parts: readonly string[], project: string | null): string | null {
  const last = parts.at(-1) ?? '';
  const isVersion = last.startsWith('v') && Number(last.slice(1)) > 0;
  const name = parts.slice(isVersion ? -2 : -1);
  const owner = project ?? parts.at(isVersion ? -3 : -2);
  return owner === undefined || name.length === 0 ? null : ['model', owner, ...name].join('.');
}
