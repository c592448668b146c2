// The routes that answer questions about lineage, served in this process by the code that serves them on AWS.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { diffImplementations } from '../../functions/diff/diff.ts';
import { impactImplementations, relationImplementations } from '../../functions/queries/impact.ts';
import type { Api, Endpoint, Question } from '../../shared/client/api.ts';
import { ApiFailure } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { WorkspaceId } from '../../shared/contract/ids.ts';
import { errorEnvelope, Problem } from '../../shared/contract/problems.ts';
import type { Route } from '../../shared/contract/route.ts';
import { filesWorkspace } from '../../shared/domain/lineage/files/file-graph.ts';
import type { OpenFiles } from '../../shared/domain/lineage/files/open-files.ts';
import type { DiffOptions } from '../../shared/domain/lineage/queries/diff/diff-branch.ts';
import { readFieldsAndBody } from '../../shared/runtime/body.ts';
import type { RequestOf } from '../../shared/runtime/implementation.ts';
import { CommandError, exitCodes } from '../outcome.ts';

const needsService = (): CommandError =>
  new CommandError(exitCodes.usage, 'Files do not answer this.', [
    'To ask a service, leave out the options that name files.',
  ]);

type Answer = (question: Question) => Promise<unknown>;
type Diff = ReturnType<typeof diffImplementations>;

export function filesApi({ reader, connector }: OpenFiles, options: DiffOptions = {}): Api {
  const impact = impactImplementations(reader);
  const relation = relationImplementations(reader);
  const diff = diffImplementations({
    ...reader,
    ...options,
    connectorsOf: async () => [connector],
    comparisons: null,
    announce: async () => {},
  });
  const answers = new Map<Endpoint, Answer>([
    [routes.getImpact, (question) => impact.getImpact(requestOf(routes.getImpact, question))],
    [routes.explainEdge, (question) => impact.explainEdge(requestOf(routes.explainEdge, question))],
    [routes.listRelations, (question) => relation.listRelations(requestOf(routes.listRelations, question))],
    [routes.getRelation, (question) => relation.getRelation(requestOf(routes.getRelation, question))],
    [
      routes.diffProject,
      async (question) => withBaseNamed(await diff.diffProject(requestOf(routes.diffProject, question))),
    ],
  ]);
  const ask: Api['ask'] = async (route, question = {}) => {
    const answer = answers.get(route);
    if (!answer) throw needsService();
    try {
      return await answer(question);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new ApiFailure('files', route, error.status, errorEnvelope(error, randomUUID()));
    }
  };
  return { url: 'files', ask, stream: () => Promise.reject(needsService()) };
}

/** Says of the base why it cannot be compared: of files nothing was pushed. */
function withBaseNamed(answer: Awaited<ReturnType<Diff['diffProject']>>): unknown {
  const found = answer.not_evaluated;
  if (found === null) return answer;
  const messages: Partial<Record<typeof found.reason, string>> = {
    no_base: `The base is of another project than the branch: ${found.linked_projects.join(', ')}.`,
    base_not_compiled: 'The base has no compiled SQL. Compile or render it, then try again.',
  };
  return { ...answer, not_evaluated: { ...found, message: messages[found.reason] ?? found.message } };
}

/** The request as the service would have it: fields by the schema of the route. Throws `validation_error`. */
function requestOf<R extends Route>(route: R, { query = {}, body = {} }: Question): RequestOf<R> {
  const workspace = v.parse(WorkspaceId, query['workspace_id'] ?? filesWorkspace);
  const given = Object.entries({ workspace_id: workspace, ...query }).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]);
  const fields = readFieldsAndBody(route, { params: {}, query: Object.fromEntries(texts), headers: {} }, body);
  const request = { ...fields, workspace, now: new Date() };
  // What only HTTP has (the caller, the bytes) these implementations do not read.
  return request as unknown as RequestOf<R>;
}
