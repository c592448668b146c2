import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The system's Chromium, or null: CHROMIUM_BIN, then PATH. */
export function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [process.env['CHROMIUM_BIN'] ?? '', ...found].find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return file !== '';
  } catch {
    return false;
  }
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-zygote',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
];

/** Opens a page and keeps it open while `work` runs. */
export async function withPage(chromium: string, url: string, work: () => Promise<void>): Promise<void> {
  const profile = mkdtempSync(path.join(tmpdir(), 'chromium-'));
  const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, url], { stdio: 'ignore', detached: true });
  try {
    await Promise.race([work(), failure(browser)]);
  } finally {
    await killed(browser);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function failure(browser: ChildProcess): Promise<never> {
  const [code] = await once(browser, 'exit');
  throw new Error(`Chromium ended with ${code}`);
}

/** Kills its children too, because they would keep running. */
async function killed(browser: ChildProcess): Promise<void> {
  if (browser.pid === undefined || browser.exitCode !== null) return;
  const ended = once(browser, 'exit');
  process.kill(-browser.pid, 'SIGKILL');
  await ended;
}
