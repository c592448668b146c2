import { execFileSync } from 'node:child_process';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';

/** Where and when figures were taken; `load` is how many processes wanted a processor in the minute before. */
export type Occasion = {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly commit: string;
  readonly load: number;
};

/** Machines of one class give figures that may be compared. */
function machineClass(): string {
  const model = cpus()[0]?.model.replaceAll(/\(.*?\)|processor|cpu|\s@.*$/gi, ' ') ?? '';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const words = `${platform()} ${arch()} ${cpus().length} x ${model} ${memory}`;
  return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

export function occasion(): Occasion {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' and changes';
  return {
    date: new Date().toISOString(),
    machine: machineClass(),
    node: process.version,
    commit: `${git('rev-parse', '--short', 'HEAD')}${changed}`,
    load: Number(loadavg()[0]?.toFixed(1)),
  };
}
