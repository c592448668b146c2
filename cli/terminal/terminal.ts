import picocolors from 'picocolors';
import yoctoSpinner from 'yocto-spinner';

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

export type Terminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream;
  readonly messages: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
};

export type Colors = ReturnType<typeof picocolors.createColors>;

const takesStyle = ({ env }: Terminal, stream: Stream): boolean => stream.isTTY === true && !env['NO_COLOR'];

/** Styles for standard output, which are none if it is no terminal or NO_COLOR is set. */
export const outputColors = (terminal: Terminal): Colors =>
  picocolors.createColors(takesStyle(terminal, terminal.output));

export const messageColors = (terminal: Terminal): Colors =>
  picocolors.createColors(takesStyle(terminal, terminal.messages));

/** Says on standard error what is being done; a spinner on a terminal, nothing elsewhere. */
export type Progress = { readonly say: (text: string) => void; readonly stop: () => void };

export function progressOn(terminal: Terminal, { quiet }: { readonly quiet: boolean }): Progress {
  if (quiet || !takesStyle(terminal, terminal.messages)) return { say: () => {}, stop: () => {} };
  const spinner = yoctoSpinner({ stream: process.stderr });
  return {
    say: (text) => {
      spinner.text = text;
      if (!spinner.isSpinning) spinner.start();
    },
    stop: () => void spinner.stop(),
  };
}

export function write(stream: Stream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
