import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Route } from '../../shared/contract/route.ts';
import { dereferenced } from '../support/dereferenced.ts';
import { exampleOf } from '../support/route-examples.ts';

type Json = { readonly [name: string]: unknown };
type RouteName = keyof typeof routes;

/** Lengths of texts and lists, and sizes of numbers, as the interface has them; null: no such bound. */
const bounds: readonly (readonly [RouteName, string, number | null, number])[] = [
  ['authorizeAgent', 'workspace_id', 1, 200],
  ['authorizeAgent', 'code_challenge', 43, 128],
  ['authorizeAgent', 'redirect_uri', 1, 512],
  ['authorizeAgent', 'device_id', 8, 200],
  ['authorizeAgent', 'device_name', 1, 200],
  ['authorizeAgent', 'client_id', 8, 512],
  ['authorizeAgent', 'client_name', 1, 80],
  ['authorizeAgent', 'client_version', null, 80],
  ['authorizeAgent', 'platform', null, 80],
  ['authorizeAgent', 'resource', null, 512],
  ['authorizeAgent', 'scope', null, 200],
  ['createCheck', 'name', 1, 100],
  ['createCheck', 'expectation', 1, 2_000],
  ['createCheck', 'scope.include', null, 20],
  ['createCheck', 'scope.exclude', null, 20],
  ['patchCheck', 'name', 1, 100],
  ['patchCheck', 'expectation', 1, 2_000],
  ['patchCheck', 'scope.include', null, 20],
  ['patchCheck', 'scope.exclude', null, 20],
  ['generateCandidates', 'correction_text', null, 2_000],
  ['generateCandidates', 'limit', 1, 5],
  ['approveCandidate', 'content', 1, 2_000],
  ['approveCandidate', 'target_key', null, 160],
  ['approveCandidate', 'target_type', null, 80],
  ['approveCandidate', 'title', 1, 160],
  ['approveCandidate', 'tags', null, 50],
  ['createArtifact', 'tool_run_id', 1, 200],
  ['createArtifact', 'path', 1, 1_000],
  ['createArtifact', 'language', 1, 80],
  ['createArtifact', 'step_id', 1, 200],
  ['createArtifact', 'execution_log', null, 200],
  ['createArtifact', 'preview_columns', null, 200],
  ['createArtifact', 'preview_rows', null, 100],
  ['createAccessRequest', 'reason', 1, 1_000],
  ['denyAccessRequest', 'reason', 1, 1_000],
  ['diagnoseAccess', 'user_id', 1, 255],
];

const bodyOf = (name: RouteName) => {
  const { body }: Route = routes[name];
  if (body?.kind !== 'json') throw new Error(`${name} takes no JSON`);
  return body.schema;
};

/** A body of the route whose field is as large as `size`, if there is one; of texts by characters of two units too. */
function bodiesWith(name: RouteName, path: string, size: number): readonly unknown[] {
  const example = (exampleOf(routes[name], {}).body ?? {}) as Json;
  const [field = '', inner] = path.split('.');
  const values = valuesOf(name, path, size).map((value) => (inner === undefined ? value : { [inner]: value }));
  return values.map((value) => ({ ...example, [field]: value }));
}

const lists: Readonly<Record<string, unknown>> = {
  'scope.include': 'a',
  'scope.exclude': 'a',
  tags: 'a',
  preview_columns: 'a',
  execution_log: {},
  preview_rows: {},
};

/** Of texts that hold more than any characters, what stands before the filling. */
const prefixes: Readonly<Record<string, readonly [prefix: string, filling: string]>> = {
  code_challenge: ['', 'c'],
  redirect_uri: ['http://localhost/', 'c'],
};

function valuesOf(name: RouteName, path: string, size: number): readonly unknown[] {
  if (path === 'limit') return [size];
  if (path in lists) return [Array(size).fill(lists[path])];
  if (name === 'authorizeAgent' && path === 'scope') return [scopeOf(size)];
  const [prefix, filling] = prefixes[path] ?? [];
  if (prefix === undefined) return ['c'.repeat(size), '😀'.repeat(size)];
  return size < prefix.length ? [] : [prefix + (filling ?? '').repeat(size - prefix.length)];
}

/** Words that together are exactly so long. */
function scopeOf(size: number): string {
  const more = size % 5;
  // `read ` has five characters, `admin ` and `write ` have six.
  const sixes = (more + 1) % 5;
  return [...Array(sixes).fill('admin'), ...Array((size + 1 - sixes * 6) / 5).fill('read')].join(' ');
}

describe.each(bounds)('%s holds %s', (name, path, min, max) => {
  const accepts = (size: number) => bodiesWith(name, path, size).map((body) => v.safeParse(bodyOf(name), body).success);

  it(`to its bounds, at them and past them`, () => {
    expect(accepts(max)).not.toContain(false);
    expect(accepts(max + 1)).not.toContain(true);
    if (min === null) return;
    expect(accepts(min)).not.toContain(false);
    expect(accepts(min - 1)).not.toContain(true);
  });

  it('to bounds that the API description names', () => {
    const statement = JSON.stringify(describedField(name, path));
    expect(statement).toMatch(new RegExp(`"max(Length|Items|imum)":${max}\\b`));
    if (min !== null) expect(statement).toMatch(new RegExp(`"min(Length|Items|imum)":${min}\\b`));
  });
});

const document = JSON.parse(JSON.stringify(dereferenced(serviceOpenApi(routes))));

const operationOf = ({ path, method }: Route) => document.paths[path][method.toLowerCase()];

const describedField = (name: RouteName, path: string): unknown => {
  const { schema } = operationOf(routes[name]).requestBody.content['application/json'];
  return path.split('.').reduce((one, part) => (one.properties ?? one.anyOf[0].properties)[part], schema);
};

const reading = { scope: 'read', role: 'viewer' };
const writing = { scope: 'write', role: 'editor' };

it.each<[RouteName, object]>([
  ['listChecks', reading],
  ['listCheckResults', reading],
  ...(['createCheck', 'patchCheck', 'deleteCheck', 'acceptCheck', 'runCheck'] as const).map(
    (name): [RouteName, object] => [name, writing],
  ),
  ['listArtifacts', reading],
  ['getArtifact', reading],
  ['diffArtifact', reading],
  ['createArtifact', writing],
  ['patchArtifact', writing],
  ['listMemory', reading],
  ['listCandidates', reading],
  ...(
    ['generateCandidates', 'approveCandidate', 'rejectCandidate', 'dismissCandidate', 'supersedeMemory'] as const
  ).map((name): [RouteName, object] => [name, writing]),
])('%s takes the scope and role %o (C-CHECK-1, C-ARTIFACT-1, C-MEMORY-1)', (name, access) => {
  expect(routes[name].access).toMatchObject(access);
});

/** The fields of responses, as the interface names them. */
const answered: readonly (readonly [RouteName, string, string])[] = [
  ['diagnoseAccess', '', 'chain connector effective_grants evidence matched_groups root_cause subject'],
  ['diagnoseAccess', 'chain', 'step status title detail evidence'],
  ['diagnoseAccess', 'root_cause', 'step code message'],
  ['listAttention', 'items', 'id event_id title href description requester timestamp kind severity'],
  [
    'getArtifact',
    '',
    `id tool_run_id workspace_id kind path content created_at updated_at language metadata execution_log
     parent_artifact_id step_id preview_columns preview_rows status version`,
  ],
  ['authorizeAgent', '', 'code expires_in'],
  [
    'createCheck',
    '',
    `id workspace_id name expectation enabled severity scope definition_version created_at created_by updated_at
     updated_by`,
  ],
  ['listChecks', '', 'agent_checks max_enabled'],
  ['getAgentContext', '', 'user_id default_workspace_id user_email workspaces'],
  ['getAgentContext', 'workspaces', 'id name role connectors'],
  [
    'getAgentContext',
    'workspaces.connectors',
    'id name kind status last_error last_sync_at sample_tables schema_age_seconds table_count',
  ],
  [
    'approveCandidate',
    '',
    `approved_memory_id confidence content created_at dedupe_key evidence_count evidence_refs id memory_type
     query_request_id rationale review_after reviewed_at reviewed_by scope source status supersedes_memory_id tags
     target_key target_type title`,
  ],
];

it.each(answered)('%s answers %s by the fields of the interface', (name, path, fields) => {
  const { responses } = operationOf(routes[name]);
  const { schema } = (responses['200'] ?? responses['201']).content['application/json'];
  const place = path.split('.').filter(Boolean);
  const part = place.reduce((one, field) => membersOf(one)[field], schema);
  expect(Object.keys(membersOf(part))).toEqual(expect.arrayContaining(fields.split(/\s+/)));
});

/** Of an object, of one that may be null, or of those that a list holds. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is walked that the test above compiles.
const membersOf = (schema: any): any => schema.properties ?? membersOf(schema.items ?? schema.anyOf[0]);
