import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inParallel, turns } from '../../shared/domain/base/concurrency.ts';
import { quietMs, type Sdk, sdks, titleOf } from './catalogue.ts';
import { startDriver } from './drive.ts';
import { install, newestVersion } from './install.ts';
import { type Fate, messagesIn, type SeenRequest, startProxy } from './proxy.ts';
import { startCollection } from './service.ts';

// Runs the newest release of each SDK with its defaults, and says which of them moved since they were recorded.
// npm run sdks:newest -- [--record] [NAME[@VERSION]]...: --record keeps what it saw, VERSION is tried instead of the newest.
const file = path.join(import.meta.dirname, 'defaults.json');
const failures: Readonly<Record<string, Fate>> = { '413': 413, '429': 429, '503': 503, none: 'unreachable' };
const atOnce = 4;
/** No SDK keeps an event longer by default. */
const longestWaitMs = 45_000;
/** More than any SDK sends in a request. Pages may send fewer at once before posthog-js drops some. */
const burstOf = ({ language }: Sdk): number => (language === 'browser' ? 50 : 300);

/** Headers of clients for HTTP differ by their versions, not by the SDK's. */
const ofClients =
  /^(accept.*|cache-control|connection|content-length|expect|host|keep-alive|origin|pragma|priority|referer|sec-.*|te|transfer-encoding|user-agent)$/;

/** What is seen of an SDK that got only an address and a key. Lists are texts. */
type Defaults = {
  readonly version: string;
  readonly requests: string;
  readonly headers: string;
  readonly encoding: string;
  /** The fields of the body beside its events. */
  readonly envelope: string;
  /** The fields of an event, and which of them is its id. */
  readonly event: string;
  readonly id: string;
  readonly eventsInARequest: number;
  /** What the service answered to all of them. */
  readonly answers: string;
  readonly secondsUntilSent: number;
  readonly retriesAfter: string;
};

type Observed = {
  readonly defaults?: Omit<Defaults, 'version' | 'retriesAfter'>;
  readonly retriesAfter?: string | null;
};

const asked = process.argv.slice(2).filter((one) => one !== '--record');
const chosen = sdks.flatMap((sdk) => {
  if (asked.length === 0) return [{ sdk, version: null }];
  const found = asked.find((one) => one === sdk.name || one.startsWith(`${sdk.name}@`));
  return found === undefined ? [] : [{ sdk, version: found.slice(sdk.name.length + 1) || null }];
});
if (chosen.length === 0) throw new Error(`No SDK of the catalogue is named so: ${asked.join(', ')}`);
const recorded: Readonly<Record<string, Defaults>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const findings: string[] = [];

const ready = await inParallel(2, chosen, async ({ sdk, version }) => {
  try {
    const newest = version ?? (await newestVersion(sdk));
    return [{ sdk, version: newest, folder: await install(sdk, newest) }];
  } catch (error) {
    findings.push(`${titleOf(sdk)}: the newest release cannot be installed: ${error}`);
    return [];
  }
});
const releases = ready.flat();
type Release = (typeof releases)[number];

const service = await startCollection();
/** Pages share a port. */
const pages = turns(1).first;
const sent = new Map<string, string>();
try {
  const works = releases.flatMap((release) => [
    { release, observe: async () => ({ defaults: await observeDefaults(release) }) },
    ...Object.entries(failures).map(([name, fate]) => ({
      release,
      observe: async () => ({ retriesAfter: (await isRetried(release, fate)) ? name : null }),
    })),
  ]);
  const results = await inParallel(atOnce, works, async ({ release, observe }) => {
    try {
      const seen: Observed = await (release.sdk.language === 'browser' ? pages<Observed>(observe) : observe());
      return { release, ...seen };
    } catch (error) {
      findings.push(`${titleOf(release.sdk, release.version)}: ${error}`);
      return { release };
    }
  });
  const now = [...Map.groupBy(results, ({ release }) => release)].flatMap(
    ([{ sdk, version }, own]): [string, Defaults][] => {
      const defaults = own.map((one) => one.defaults).find((one) => one !== undefined);
      const retriesAfter = own.flatMap((one) => one.retriesAfter ?? []).join(', ');
      return defaults ? [[titleOf(sdk), { version, ...defaults, retriesAfter }]] : [];
    },
  );
  for (const [title, defaults] of now) compare(title, recorded[title], defaults);
  await checkStored();
  if (process.argv.includes('--record')) {
    const all = Object.entries({ ...recorded, ...Object.fromEntries(now) }).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  } else if (findings.length > 0) process.exitCode = 1;
} finally {
  await service.stop();
}
for (const finding of findings) console.log(finding);
console.log(`${releases.length} SDKs tried, ${findings.length} findings`);

/** Prints that there is a newer release, and finds each default that moved. */
function compare(title: string, before: Defaults | undefined, now: Defaults): void {
  if (before === undefined) return void findings.push(`${title}: no defaults are recorded`);
  if (before.version !== now.version) console.log(`${title}: ${now.version} instead of the recorded ${before.version}`);
  for (const name of Object.keys(now).filter((one) => one !== 'version') as (keyof Defaults)[]) {
    const [was, is] = [before[name], now[name]];
    // A machine that is busy sends later.
    const isClose = name === 'secondsUntilSent' && Math.abs(Number(was) - Number(is)) <= 1;
    if (was !== is && !isClose) findings.push(`${title} ${now.version}: ${name} was "${was}", is "${is}"`);
  }
}

/** Each event that the service answered with 200 is stored once. */
async function checkStored(): Promise<void> {
  const counts = new Map<string, number>();
  for (const mark of await service.storedMarks()) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  for (const [title, marks] of Map.groupBy(sent.entries(), ([mark]) => mark.replace(/#.*/, ''))) {
    const lost = marks.filter(([mark, answer]) => answer === '200' && !counts.has(mark)).length;
    const doubled = marks.filter(([mark]) => (counts.get(mark) ?? 0) > 1).length;
    if (lost + doubled > 0) findings.push(`${title}: ${lost} events are lost, ${doubled} are doubled`);
  }
}

type Session = {
  readonly send: (count: number) => Promise<readonly string[]>;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
};

async function withDriver<T>(
  { sdk, version, folder }: Release,
  { paced, fate }: { readonly paced: boolean; readonly fate?: Fate },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const proxy = await startProxy(service, fate === undefined ? [] : [fate]);
  const { key, pagePort } = service;
  let made = 0;
  try {
    const driver = await startDriver({ sdk, folder, url: proxy.url, key, paced, pagePort });
    const name = `${titleOf(sdk, version)} ${fate ?? 'defaults'}`.replaceAll(' ', '_');
    const send = async (count: number): Promise<readonly string[]> => {
      const marks = Array.from({ length: count }, () => `${name}#${made++}`);
      await driver.send(marks);
      return marks;
    };
    return await work({ proxy, send }).finally(driver.end);
  } finally {
    for (const [mark, answer] of proxy.answers()) sent.set(mark, answer);
    proxy.stop();
  }
}

/** Whether the SDK sends an event again after a failure. */
function isRetried(release: Release, fate: Fate): Promise<boolean> {
  const settings = { paced: true, fate };
  return withDriver(release, settings, async ({ send, proxy }) =>
    proxy.areAccepted(await send(1), quietMs(release.sdk)),
  );
}

function observeDefaults(release: Release): Promise<NonNullable<Observed['defaults']>> {
  return withDriver(release, { paced: false }, async ({ send, proxy }) => {
    const { seen, areAccepted } = proxy;
    // What the SDK does only at its start takes no part in the time.
    await areAccepted(await send(1), longestWaitMs);
    const single = await send(1);
    const start = Date.now();
    await areAccepted(single, longestWaitMs);
    const first = seen.find(({ marks }) => marks.some((mark) => single.includes(mark)));
    const burst = await send(burstOf(release.sdk));
    // A larger request than the service takes shows in the answers.
    await areAccepted(burst, longestWaitMs);
    // The first call of each driver: those after it may be of another type.
    const sample = seen.find(({ marks }) => marks.length > 0);
    if (first === undefined || sample === undefined) throw new Error('it sent nothing');
    const message = Object(messagesIn(sample.body)[0]);
    return {
      requests: list(seen.map(requestName)),
      headers: list(Object.entries(sample.headers).flatMap(headerName)),
      encoding: sample.encoding,
      envelope: list(Object.keys(Object(sample.body)).filter((name) => name !== 'batch' && !(name in message))),
      event: list(Object.keys(message)),
      id: ['uuid', 'messageId'].find((name) => typeof message[name] === 'string') ?? 'none',
      eventsInARequest: Math.max(...seen.map(({ marks }) => marks.length)),
      answers: list(seen.flatMap(({ marks, answer }) => (marks.length > 0 ? [answer] : []))),
      secondsUntilSent: Math.round((first.at - start) / 1000),
    };
  });
}

function list(words: readonly string[]): string {
  return [...new Set(words)].sort().join(', ');
}

function requestName({ method, path }: SeenRequest): string {
  const { pathname, searchParams } = new URL(path, 'http://proxy');
  return [method, pathname, ...[...searchParams.keys()].sort()].join(' ');
}

function headerName([name, value]: readonly [string, string]): readonly string[] {
  if (ofClients.test(name)) return [];
  if (name === 'authorization') return [`${name} ${value.split(' ')[0]}`];
  return [name.startsWith('content-') ? `${name} ${value}` : name];
}
