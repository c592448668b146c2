import type { Edge } from '../support/load-oracle.ts';

/** A model reads one or two relations of its project, and adds up a column of both or keeps that of the first. */
type Model = { readonly name: string; readonly reads: readonly string[]; readonly adds: boolean };

/** A dbt project as it is in one hour. */
export type Project = {
  readonly name: string;
  readonly sources: readonly string[];
  readonly models: readonly Model[];
  /** Of the next model that is added: a name that was removed does not come back. */
  readonly nextModel: number;
};

type Random = () => number;

const firstModels = 20;
const [fewest, most] = [12, 30];

export function newProject(name: string, random: Random): Project {
  let project: Project = { name, sources: ['raw_a', 'raw_b', 'raw_c', 'raw_d'], models: [], nextModel: 0 };
  while (project.models.length < firstModels) project = withModel(project, random);
  return project;
}

/** What its team has changed an hour later: often nothing, else a model was added, removed or written anew. */
export function anHourLater(project: Project, random: Random): Project {
  const chance = random();
  if (chance < 0.5) return project;
  if (chance < 0.7 && project.models.length < most) return withModel(project, random);
  if (chance < 0.85 && project.models.length > fewest) return withoutModel(project, random);
  return withRewritten(project, random);
}

function withModel(project: Project, random: Random): Project {
  const model = written(`m${project.nextModel}`, readable(project, project.models.length), random);
  return { ...project, models: [...project.models, model], nextModel: project.nextModel + 1 };
}

/** Only a model that no other reads, or the project would not build. */
function withoutModel(project: Project, random: Random): Project {
  const read = new Set(project.models.flatMap(({ reads }) => reads));
  const gone = oneOf(
    project.models.filter(({ name }) => !read.has(name)),
    random,
  );
  return { ...project, models: project.models.filter((model) => model !== gone) };
}

function withRewritten(project: Project, random: Random): Project {
  const index = Math.floor(random() * project.models.length);
  const models = project.models.map((model, i) =>
    i === index ? written(model.name, readable(project, index), random) : model,
  );
  return { ...project, models };
}

/** Models read sources and models before them, mostly recent ones. */
const readable = ({ sources, models }: Project, index: number): readonly string[] => [
  ...sources,
  ...models.slice(Math.max(0, index - 8), index).map(({ name }) => name),
];

function written(name: string, from: readonly string[], random: Random): Model {
  const reads = new Set([oneOf(from, random)]);
  if (random() < 0.6) reads.add(oneOf(from, random));
  return { name, reads: [...reads], adds: random() < 0.7 };
}

export const oneOf = <T>(all: readonly T[], random: Random): T => all[Math.floor(random() * all.length)] as T;

const database = 'analytics';
export const relationOf = (project: Project, name: string): string => `${database}.${project.name}.${name}`;

export const relationEdges = (project: Project): readonly Edge[] =>
  project.models.flatMap(({ name, reads }) =>
    reads.map((read): Edge => [relationOf(project, read), relationOf(project, name)]),
  );

/** Values that are passed on; `RELATION.COLUMN` each. */
export const columnEdges = (project: Project): readonly Edge[] =>
  project.models.flatMap((model) => {
    const edge = (read: string, column: string): Edge => [
      `${relationOf(project, read)}.${column}`,
      `${relationOf(project, model.name)}.${column}`,
    ];
    const [first = ''] = model.reads;
    return [edge(first, 'id'), ...(model.adds ? model.reads : [first]).map((read) => edge(read, 'v'))];
  });

/** dbt's manifest of the project, written by a run at a time. */
export function manifestOf(project: Project, generated_at: string): object {
  const isSource = (name: string) => project.sources.includes(name);
  const idOf = (name: string) =>
    isSource(name) ? `source.${project.name}.raw.${name}` : `model.${project.name}.${name}`;
  const place = { database, schema: project.name };
  const node = (resource_type: string, name: string) => ({
    ...place,
    resource_type,
    name,
    alias: name,
    identifier: name,
  });
  return {
    metadata: { adapter_type: 'postgres', project_name: project.name, generated_at },
    sources: Object.fromEntries(project.sources.map((name) => [idOf(name), node('source', name)])),
    nodes: Object.fromEntries(
      project.models.map((model) => [
        idOf(model.name),
        {
          ...node('model', model.name),
          depends_on: { nodes: model.reads.map(idOf) },
          compiled_code: sqlOf(project, model),
        },
      ]),
    ),
  };
}

function sqlOf(project: Project, { reads, adds }: Model): string {
  const [first = '', second] = reads.map((read) => `"${database}"."${project.name}"."${read}"`);
  if (second === undefined) return `select a.id as id, ${adds ? 'a.v + 1' : 'a.v'} as v from ${first} a`;
  return `select a.id as id, ${adds ? 'a.v + b.v' : 'a.v'} as v from ${first} a join ${second} b on a.id = b.id`;
}
