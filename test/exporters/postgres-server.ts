import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

export type PostgresServer = {
  /** A connection string for libpq. */
  readonly place: string;
  readonly run: (sql: string) => void;
  /** Runs a script of psql, goes on after errors, and returns what it prints. */
  readonly script: (text: string) => string;
  readonly stop: () => void;
};

/** Starts a new server that counts statements, also those inside procedures. Returns null if PostgreSQL is not installed. */
export function startPostgres(encoding = 'UTF8'): PostgresServer | null {
  const [programs] = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env['PATH'] ?? '').split(':')].filter(
    (one) => existsSync(path.join(one, 'initdb')),
  );
  if (programs === undefined) return null;
  const folder = mkdtempSync('/tmp/postgres-');
  const owner = ownerOf(folder);
  const program = (name: string, ...args: string[]) =>
    execFileSync(path.join(programs, name), args, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const data = path.join(folder, 'data');
  program('initdb', '-D', data, '-U', 'shop', '-A', 'trust', '-E', encoding, '--locale=C', '--no-sync');
  const settings = [
    'listen_addresses=',
    'fsync=off',
    `unix_socket_directories=${folder}`,
    'shared_preload_libraries=pg_stat_statements',
  ];
  const options = [...settings, 'pg_stat_statements.track=all'].map((one) => `-c ${one}`).join(' ');
  program('pg_ctl', 'start', '-w', '-D', data, '-o', options, '-l', path.join(folder, 'log'));
  program('createdb', '-h', folder, '-U', 'shop', 'shop');
  return {
    place: `host=${folder} user=shop dbname=shop`,
    run: (sql) => program('psql', '-h', folder, '-U', 'shop', '-d', 'shop', '-v', 'ON_ERROR_STOP=1', '-c', sql),
    script: (input) =>
      execFileSync(path.join(programs, 'psql'), ['-h', folder, '-U', 'shop', '-d', 'shop', '-qtAX'], {
        ...owner,
        cwd: folder,
        input,
        encoding: 'utf8',
        maxBuffer: 2 ** 30,
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    stop: () => {
      program('pg_ctl', 'stop', '-m', 'immediate', '-D', data);
      rmSync(folder, { recursive: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function ownerOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const number = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [number('-u'), number('-g')];
  chownSync(folder, uid, gid);
  return { uid, gid };
}
