import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import * as v from 'valibot';
import { pythonEnvironment } from '../../scripts/python-environment.mjs';
import { LineageDiff } from '../../shared/contract/diff.ts';
import { commandLine } from '../../test/support/command-line.ts';
import { startProcess } from '../../test/support/service-process.ts';
import { markdownTable } from '../support/markdown-table.ts';
import { type Change, changes, heldOutChanges } from './changes.ts';
import { edited, readProject, relationsSelected } from './edit.ts';
import { startOracle } from './execute.ts';
import { differs, judge, totals } from './judge.ts';

// Each change of a dbt project is executed before and after, and the report of `tributary diff dbt` is held to what really
// differs. A JSON line a change, then the totals. Ends with 1 if a report leaves out what differs.
const { values } = parseArgs({
  options: {
    /** Every fifth change, for a check that has little time. */
    quick: { type: 'boolean', default: false },
    /** The changes that were held out while the report was mended, instead of the others. */
    'held-out': { type: 'boolean', default: false },
    /** Both halves, and then how many relations `--select` has built of each. */
    selector: { type: 'boolean', default: false },
    /** Only changes whose name contains this. */
    only: { type: 'string', default: '' },
    /** Prints the reports themselves, too. */
    reports: { type: 'boolean', default: false },
  },
});

const compared = ['relations', 'columns', 'edges', 'summary', 'grade', 'precision', 'truncated', 'matched_by'] as const;

/** A comparison without what only a service knows: its moments, its scopes and the limits of its sources. */
const ofFiles = (diff: LineageDiff) => ({
  ...Object.fromEntries(compared.map((name) => [name, diff[name]])),
  claim: { kind: diff.claim.kind, counts: diff.claim.counts },
  limits: diff.claim.limits.filter(({ code }) => code !== 'files_only'),
});

const Selection = v.object({ selected: v.array(v.string()) });

const packages = ['dbt-core==1.10.15', 'dbt-duckdb==1.10.0', 'duckdb==2.0.0'];
const root = path.resolve(import.meta.dirname, '..', '..');

const halves = values.selector ? [changes, heldOutChanges] : [values['held-out'] ? heldOutChanges : changes];
const chosenOf = (half: readonly Change[]) =>
  half.filter(({ name }) => name.includes(values.only)).filter((_, place) => !values.quick || place % 5 === 0);
const commands = pythonEnvironment('gauntlet', packages);
if (commands) await runAll(commands);
else console.log('Without Python and its package index the changes cannot be executed: nothing was checked.');

async function runAll(python: string): Promise<void> {
  const oracle = await startOracle(python, path.join(root, '.cache', 'gauntlet-outcomes'));
  const service = await startProcess(['--in-memory', '--seed', 'conformance']);
  const project = readProject();
  const folder = mkdtempSync(path.join(tmpdir(), 'gauntlet-'));
  const tributary = async (...args: string[]): Promise<string> => {
    const place = ['--credentials', service.file, '--workspace', 'acme', '--connector', 'duck'];
    const { code, output, messages } = await commandLine([...args, ...place], { folder });
    if (code > 1 && code !== 3) throw new Error(`${args.join(' ')}: ${messages}`);
    return output;
  };
  const diffed = async (...args: string[]): Promise<LineageDiff> =>
    v.parse(LineageDiff, JSON.parse(await tributary('diff', 'dbt', '.', '--format', 'json', ...args)));
  const reportOf = async (manifest: string, files: ReadonlyMap<string, string>) => {
    rmSync(path.join(folder, 'seeds'), { recursive: true, force: true });
    writeSeeds(folder, files);
    writeFileSync(path.join(folder, 'target', 'manifest.json'), manifest);
    const report = await diffed();
    const offline = await diffed('--base', oracle.base, '--offline');
    if (!isDeepStrictEqual(ofFiles(offline), ofFiles(report))) throw new Error('Files are compared otherwise.');
    const selector = await tributary('diff', 'dbt', '.', '--base', 'base', '--offline', '--select', '--json');
    const { selected } = v.parse(Selection, JSON.parse(selector));
    return { report, selected: relationsSelected(JSON.parse(manifest), selected) };
  };
  try {
    mkdirSync(path.join(folder, 'target'));
    writeSeeds(path.join(folder, 'base'), project);
    cpSync(oracle.base, path.join(folder, 'base', 'target'), { recursive: true });
    await tributary('push', 'dbt', oracle.base);
    const repeated = await oracle.execute({ name: 'nothing', kind: 'control', edits: [] });
    const unsteady = Object.entries(repeated.differences).filter(([, one]) => differs(one));
    if (unsteady.length > 0) throw new Error(`Built twice, these differ: ${unsteady.map(([ref]) => ref).join(', ')}`);
    const sums = [];
    for (const half of halves) {
      const verdicts = [];
      for (const change of chosenOf(half)) verdicts.push(await held(change));
      const sum = totals(verdicts);
      sums.push(sum);
      console.log(JSON.stringify({ bench: 'gauntlet', relations: oracle.relations.length, ...sum }));
      if (sum.missedAtModel + sum.unnamed + sum.falseAllClears + sum.notSelected > 0) process.exitCode = 1;
    }
    if (values.selector) console.log(selectorTable(sums));
  } finally {
    oracle.stop();
    rmSync(folder, { recursive: true });
    await service.end('SIGTERM');
  }

  async function held(change: Change) {
    const { name, kind } = change;
    const outcome = await oracle.execute(change);
    const { report, selected: toBuild } = await reportOf(outcome.manifest, edited(project, change));
    const verdict = judge(outcome, report, toBuild);
    const { named, selected, ...shown } = verdict;
    const { grade, precision } = report;
    const counts = { named: named.length, selected: selected.length, failed: outcome.problems.length };
    const reasons = precision.reasons.length;
    console.log(JSON.stringify({ kind, change: name, grade, ...shown, ...counts, reasons }));
    if (values.reports) console.log(JSON.stringify(report));
    return verdict;
  }
}

/** The files of a project that `--select` reads besides its artifacts. */
function writeSeeds(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(path.join(folder, 'seeds'), { recursive: true });
  for (const [name, text] of files) if (name.startsWith('seeds/')) writeFileSync(path.join(folder, name), text);
}

function selectorTable(sums: readonly ReturnType<typeof totals>[]): string {
  const cells = sums.map(({ changes, relationsThatDiffer: differ, selected, notSelected }) =>
    [changes, differ, selected, (selected / differ).toFixed(2), notSelected].map(String),
  );
  const head = ['Changes', 'Relations that differ', 'Selected', 'Times as many', 'Differ and not selected'];
  return markdownTable([head, ...cells]);
}
