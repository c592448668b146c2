// The artifacts that a branch is compared with: at a path, or of a commit as CI stored them or a command makes them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '../../shared/domain/base/digest.ts';
import type { LineageFile } from '../../shared/domain/lineage/files/open-files.ts';
import type { SeedText } from '../../shared/domain/lineage/queries/diff/seed-contents.ts';
import { isFile, statOf } from '../files.ts';
import { git, gitOutput } from '../git.ts';
import { UsageError } from '../outcome.ts';
import { artifactFiles } from '../push/dbt-artifacts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { dbtFile } from './lineage-files.ts';

export type BaseOptions = {
  readonly base?: string;
  readonly baseRef?: string;
  readonly artifacts?: string;
  readonly compile?: string;
};

/** The base of a dbt project's branch; none if a service is asked. Throws UsageError. */
export function baseFiles(terminal: Terminal, project: string, options: BaseOptions): readonly LineageFile[] {
  const { base, baseRef, artifacts = terminal.env['TRIBUTARY_ARTIFACTS'] || undefined, compile } = options;
  if (base !== undefined && baseRef !== undefined) throw new UsageError('Choose either --base or --base-ref.');
  if (base !== undefined) return [dbtFile(terminal, base)];
  if (baseRef === undefined) {
    if (compile !== undefined) throw new UsageError('--compile makes the artifacts of a --base-ref.');
    return [];
  }
  const folder = path.resolve(terminal.folder, project);
  const commit = commitOf(folder, baseRef);
  const stored = artifacts === undefined ? [] : storedPlaces(path.resolve(terminal.folder, artifacts), commit);
  const found = stored.find((place) => isFile(path.join(place, 'manifest.json')));
  if (found !== undefined) return [dbtFile(terminal, found)];
  if (compile !== undefined) return [compiledFile(terminal, folder, { commit, compile })];
  throw new UsageError(`There are no artifacts of ${baseRef} (${commit}).`, [
    'To make them in a temporary work tree: --compile "dbt deps && dbt compile"',
    `To take them from CI: --artifacts DIR, which has them in DIR/${commit}/`,
  ]);
}

const storedPlaces = (artifacts: string, commit: string): readonly string[] =>
  [commit, commit.slice(0, 12), commit.slice(0, 7)].flatMap((name) => [
    path.join(artifacts, name),
    path.join(artifacts, name, 'target'),
  ]);

/** A branch of a shallow checkout in CI often exists only as that of the remote. */
function commitOf(folder: string, ref: string): string {
  for (const name of [ref, `origin/${ref}`]) {
    const commit = git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    if (commit !== null) return commit;
  }
  const isRepository = git(folder, ['rev-parse', '--git-dir']) !== null;
  throw new UsageError(`Git knows no commit ${ref} in ${folder}.`, [
    isRepository ? `Fetch it: git fetch origin ${ref}` : 'Git finds no repository there: git status says why.',
  ]);
}

type Compiling = { readonly commit: string; readonly compile: string };

function compiledFile(terminal: Terminal, folder: string, { commit, compile }: Compiling): LineageFile {
  const place = mkdtempSync(path.join(tmpdir(), 'tributary-base-'));
  const tree = path.join(place, 'tree');
  try {
    if (git(folder, ['worktree', 'add', '--detach', '--quiet', tree, commit]) === null)
      throw new UsageError(`Git cannot check out ${commit} into a temporary work tree.`);
    const project = path.join(tree, git(folder, ['rev-parse', '--show-prefix']) ?? '');
    // Its output is no answer of this command.
    const { status } = spawnSync(compile, { cwd: project, shell: true, stdio: ['ignore', 2, 2] });
    if (status !== 0)
      throw new UsageError(
        `The command of --compile failed with ${status ?? 'a signal'} in a work tree of ${commit}.`,
        [`To try it: git worktree add --detach ../base ${commit}, and run there: ${compile}`],
      );
    return dbtFile(terminal, project);
  } finally {
    git(folder, ['worktree', 'remove', '--force', tree]);
    rmSync(place, { recursive: true, force: true });
  }
}

/** A file of a project as a commit has it; null if it has none. */
const fileOfCommit = (project: string, ref: string, file: string): string | null =>
  gitOutput(project, ['show', '--end-of-options', `${commitOf(project, ref)}:./${file}`]);

/** Of a larger seed dbt's checksum is one of its path. */
const mostBytes = 1024 * 1024;

/** Reads seeds of the projects around the artifacts at these places, or of the commit of --base-ref. */
export function seedFiles(terminal: Terminal, project: string, { base, baseRef }: BaseOptions): SeedText {
  const places = [project, ...(base === undefined ? [] : [base])];
  const folders = places.flatMap((place) => {
    const folder = path.resolve(terminal.folder, path.dirname(artifactFiles(terminal, place).file));
    return [path.dirname(folder), folder];
  });
  const inCommit = baseRef === undefined ? null : path.resolve(terminal.folder, project);
  return (digest, file) => {
    const texts = folders.map((folder) => () => textOf(path.join(folder, file)));
    if (inCommit && baseRef !== undefined) texts.push(() => fileOfCommit(inCommit, baseRef, file));
    for (const read of texts) {
      const text = read();
      // dbt leaves out the white space around the text.
      if (text !== null && [text, text.trim()].some((one) => sha256(one).toString('hex') === digest)) return text;
    }
    return null;
  };
}

function textOf(file: string): string | null {
  const found = statOf(file);
  return found?.isFile() && found.size <= mostBytes ? readFileSync(file, 'utf8') : null;
}
