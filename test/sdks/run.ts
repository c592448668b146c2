import { setTimeout as after } from 'node:timers/promises';
import { inParallel, turns } from '../../shared/domain/base/concurrency.ts';
import { quietMs, type Sdk, sdks, titleOf } from './catalogue.ts';
import { startDriver } from './drive.ts';
import { install } from './install.ts';
import { type Fate, startProxy } from './proxy.ts';
import { startCollection } from './service.ts';

// Sends by real SDKs through failures and restarts of the service, and prints what became of each event.
// node test/sdks/run.ts [--all] [NAME]...: the newest release of each SDK, with --all also the oldest.
const fates: readonly Fate[] = [
  'answered',
  'answer lost',
  'answered',
  503,
  'answered',
  429,
  'answered',
  'unreachable',
  'answered',
  'restart',
  'answered',
  413,
];
const eventsOfEach = 40;
const atOnce = 3;
/** The oldest posthog-js waits 3 s, whatever its options. */
const pauseMs = ({ language }: Sdk): number => (language === 'browser' ? 3000 : 300);

const names = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const isChosen = ({ name }: Sdk) => names.length === 0 || names.includes(name);
const runs = sdks.filter(isChosen).flatMap((sdk) => {
  const versions = process.argv.includes('--all') ? sdk.versions : sdk.versions.slice(0, 1);
  return versions.map((version) => ({ sdk, version, title: titleOf(sdk, version) }));
});
type Run = (typeof runs)[number];
/** Pages share a port. */
const pages = turns(1).first;

// What is missing shows before anything is started.
const folders = await inParallel(2, runs, async ({ sdk, version, title }) => {
  try {
    return await install(sdk, version);
  } catch (error) {
    console.error(`${title} cannot be installed: ${sdk.language} and its package registry are needed. ${error}`);
    return null;
  }
});

const service = await startCollection();
try {
  const rows = await inParallel(atOnce, runs, (run, at) => tryOne(run, folders[at] ?? null));
  const stored = await service.storedMarks();
  const results = rows.map(({ sdk, title, marks, requests, answers, failure }) => {
    const own = stored.filter((mark) => marks.has(mark));
    const kept = new Set(own);
    const missing = [...marks].filter((mark) => !kept.has(mark));
    const refused = missing.filter((mark) => (answers.get(mark) ?? '200') !== '200');
    const after = [...new Set(refused.map((mark) => answers.get(mark) ?? ''))].sort();
    const unexpected = failure ?? after.find((answer) => !sdk.givesUp.includes(answer)) ?? null;
    return {
      SDK: title,
      sent: marks.size,
      requests,
      stored: kept.size,
      'given up by the SDK': refused.length,
      after: after.join(', '),
      lost: missing.length - refused.length,
      doubled: own.length - kept.size,
      unexpected,
    };
  });
  const columns = Object.keys(results[0] ?? {}).slice(0, -1) as (keyof (typeof results)[number])[];
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  console.log(
    [
      line(columns),
      line(columns.map(() => '---')),
      ...results.map((row) => line(columns.map((name) => row[name]))),
    ].join('\n'),
  );
  const failed = results.filter(({ lost, doubled, unexpected }) => lost + doubled > 0 || unexpected !== null);
  for (const { SDK, unexpected } of failed) console.error(`${SDK}: ${unexpected ?? 'events are lost or doubled'}`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await service.stop();
}

async function tryOne({ sdk, title }: Run, folder: string | null) {
  const marks = Array.from({ length: eventsOfEach }, (_, n) => `${title.replaceAll(' ', '_')}#${n}`);
  const proxy = await startProxy(service, fates);
  const send = async () => {
    if (folder === null) throw new Error('it cannot be installed');
    const { key, pagePort } = service;
    const driver = await startDriver({ sdk, folder, url: proxy.url, key, paced: true, pagePort });
    for (let at = 0; at < marks.length; at += 5) {
      await driver.send(marks.slice(at, at + 5));
      await after(pauseMs(sdk));
    }
    await proxy.areAccepted(marks, quietMs(sdk));
    await driver.end();
  };
  let failure: string | null = null;
  try {
    await (sdk.language === 'browser' ? pages(send) : send());
  } catch (error) {
    failure = String(error);
  } finally {
    proxy.stop();
  }
  if (process.env['SDK_OUTPUT'])
    for (const { method, path, answer, marks, encoding } of proxy.seen)
      console.error(title, method, path, answer, marks.length, encoding);
  const requests = proxy.seen.filter(({ marks }) => marks.length > 0).length;
  return { sdk, title, marks: new Set(marks), requests, answers: proxy.answers(), failure };
}
