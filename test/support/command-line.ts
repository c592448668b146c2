import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { run } from '../../cli/program.ts';

export type CommandRun = { readonly code: number; readonly output: string; readonly messages: string };

/** Where a command runs in a test: nothing of the machine's own environment unless it is given. */
type Surroundings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly checkout?: string;
  /** What is typed; nothing. */
  readonly input?: Readable;
  /** Hears what is written to standard error while the command runs. */
  readonly heard?: (text: string) => void;
};

/** Runs `tributary` in this process, and answers its exit code and what it wrote. */
export async function commandLine(
  args: readonly string[],
  { env = {}, folder, checkout, input = Readable.from([]), heard }: Surroundings = {},
): Promise<CommandRun> {
  const [output, messages] = [gathering(), gathering(heard)];
  const code = await run(args, {
    input,
    output: output.stream,
    messages: messages.stream,
    env: { XDG_CONFIG_HOME: '/nonexistent', ...env },
    folder: folder ?? tmpdir(),
    ...(checkout !== undefined && { checkout }),
  });
  return { code, output: output.text(), messages: messages.text() };
}

/** What a command answers as JSON. Throws what it says where it fails. */
export async function commandJson(args: readonly string[], surroundings?: Surroundings) {
  const { code, output, messages } = await commandLine([...args, '--json'], surroundings);
  if (code !== 0) throw new Error(messages);
  return JSON.parse(output);
}

function gathering(received?: (text: string) => void) {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part, _encoding, done) {
      parts.push(Buffer.from(part));
      received?.(String(part));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}
