import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Change } from './changes.ts';
import { edited, readProject, relationReads, touchedRelations } from './edit.ts';
import type { Executed } from './judge.ts';

const own = import.meta.dirname;

const Built = v.object({
  nodes: v.record(v.string(), v.object({ status: v.string(), message: v.string() })),
  problems: v.array(v.string()),
});

const Differences = v.record(
  v.string(),
  v.object({
    is_gone: v.boolean(),
    is_new: v.boolean(),
    columns_lost: v.array(v.string()),
    columns_added: v.array(v.string()),
    only_before: v.number(),
    only_after: v.number(),
  }),
);

const Manifest = v.looseObject({
  nodes: v.record(
    v.string(),
    v.looseObject({
      resource_type: v.string(),
      relation_name: v.nullish(v.string()),
      compiled_code: v.nullish(v.string()),
      checksum: v.looseObject({ checksum: v.string() }),
      depends_on: v.optional(v.looseObject({ nodes: v.optional(v.array(v.string())) })),
    }),
  ),
});
type Manifest = v.InferOutput<typeof Manifest>;

const Outcome = v.object({ differences: Differences, problems: v.array(v.string()), manifest: v.string() });

/** A change that was executed: how each relation differs, and the manifest that a pull request would have. */
type Outcome = Executed & { readonly manifest: string; readonly problems: readonly string[] };

export type Oracle = {
  /** Folder with the base's manifest and catalog, as they are pushed. */
  readonly base: string;
  readonly relations: readonly string[];
  readonly execute: (change: Change) => Promise<Outcome>;
  readonly stop: () => void;
};

/**
 * Builds the project as it is, and then with each change, by dbt in DuckDB; DuckDB compares. Outcomes depend on the
 * project and the change only, so they are kept in `cache` for the next run.
 */
export async function startOracle(commands: string, cache: string): Promise<Oracle> {
  const project = readProject();
  const key = digest(JSON.stringify([...project]), readFileSync(path.join(own, 'worker.py'), 'utf8'));
  const home = path.join(cache, key);
  const place = { base: path.join(home, 'base'), kept: path.join(home, 'kept.duckdb') };
  const worker = pythonWorker(path.join(commands, 'python'));
  const scratch = path.join(home, 'scratch');
  const database = path.join(scratch, 'shop.duckdb');
  if (!existsSync(place.base)) await buildBase();
  const manifest = readFileSync(path.join(place.base, 'manifest.json'), 'utf8');
  const relations = relationsOf(manifest);

  async function buildBase(): Promise<void> {
    rmSync(home, { recursive: true, force: true });
    const built = await build(project);
    if (built.problems.length > 0) throw new Error(`The base cannot be built: ${built.problems.join(' ')}`);
    const built_relations = relationsOf(readFileSync(path.join(scratch, 'target', 'manifest.json'), 'utf8'));
    await worker.ask(v.unknown(), { do: 'document', project: scratch, database });
    await worker.ask(v.unknown(), {
      do: 'keep',
      database,
      kept: place.kept,
      relations: built_relations.map(inDatabase),
    });
    mkdirSync(place.base, { recursive: true });
    for (const name of ['manifest.json', 'catalog.json'])
      cpSync(path.join(scratch, 'target', name), path.join(place.base, name));
  }

  async function build(files: ReadonlyMap<string, string>) {
    // dbt's target folder stays: it has what was parsed.
    for (const name of existsSync(scratch) ? readdirSync(scratch) : [])
      if (name !== 'target') rmSync(path.join(scratch, name), { recursive: true });
    for (const [name, text] of files) {
      mkdirSync(path.dirname(path.join(scratch, name)), { recursive: true });
      writeFileSync(path.join(scratch, name), text);
    }
    const built = await worker.ask(Built, {
      do: 'build',
      project: scratch,
      database,
      raw: path.join(scratch, 'raw.sql'),
    });
    const failures = Object.entries(built.nodes).filter(([, { status }]) => status === 'error');
    return {
      problems: [...built.problems, ...failures.map(([node, { message }]) => `${node}: ${message.split('\n')[0]}`)],
    };
  }

  async function executed(change: Change): Promise<v.InferOutput<typeof Outcome>> {
    const file = path.join(home, `${digest(JSON.stringify(change.edits))}.json.gz`);
    if (existsSync(file)) return v.parse(Outcome, JSON.parse(gunzipSync(readFileSync(file)).toString()));
    const { problems } = await build(edited(project, change));
    const [uncompiled] = problems.filter((one) => one.startsWith('compile:'));
    if (uncompiled) throw new Error(`${change.name}: ${uncompiled}`);
    const now = readFileSync(path.join(scratch, 'target', 'manifest.json'), 'utf8');
    const all = [...new Set([...relations, ...relationsOf(now)])];
    const found = await worker.ask(Differences, {
      do: 'compare',
      database,
      kept: place.kept,
      relations: all.map(inDatabase),
    });
    const differences = Object.fromEntries(all.map((ref) => [ref, found[inDatabase(ref)] ?? missing(ref)]));
    const outcome = { differences, problems, manifest: now };
    writeFileSync(file, gzipSync(JSON.stringify(outcome)));
    return outcome;
  }

  return {
    base: place.base,
    relations,
    execute: async (change) => {
      const outcome = await executed(change);
      const [before, after] = [readManifest(manifest), readManifest(outcome.manifest)];
      const reads = { ...relationReads(before), ...relationReads(after) };
      return { ...outcome, touched: touchedRelations(before, after), reads };
    },
    stop: worker.stop,
  };
}

function missing(ref: string): never {
  throw new Error(`${ref} was not compared.`);
}

const readManifest = (text: string): Manifest => v.parse(Manifest, JSON.parse(text));

const relationsOf = (manifest: string): string[] => [
  ...new Set(Object.values(readManifest(manifest).nodes).flatMap((node) => relationOf(node) ?? [])),
];

/** A relation's name as the graph has it, of a node that is one: `shop.marts.fct_orders`. */
function relationOf({ resource_type, relation_name }: Manifest['nodes'][string]): string | null {
  const isOne = ['model', 'seed', 'snapshot'].includes(resource_type) && relation_name;
  return isOne ? relation_name.replaceAll('"', '') : null;
}

/** The name without the database, whose file's name it is. */
const inDatabase = (ref: string): string => ref.slice(ref.indexOf('.') + 1);

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

/** Starts with the first request: importing dbt takes seconds. */
function pythonWorker(python: string) {
  let started: ReturnType<typeof startWorker> | null = null;
  return {
    ask: async <T extends v.GenericSchema>(schema: T, request: object): Promise<v.InferOutput<T>> => {
      started ??= startWorker(python);
      return v.parse(schema, JSON.parse(await started.answer(request)));
    },
    stop: () => started?.stop(),
  };
}

function startWorker(python: string) {
  const child = spawn(python, [path.join(own, 'worker.py')]);
  let messages = '';
  child.stderr.on('data', (bytes) => {
    messages = `${messages}${bytes}`.slice(-4000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    answer: async (request: object): Promise<string> => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The worker ended: ${messages}`);
      return value;
    },
    stop: () => child.stdin.end(),
  };
}
