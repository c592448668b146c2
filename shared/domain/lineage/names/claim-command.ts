/** The command that changes a connector's settings; the reader puts a name in place of `CONNECTOR`. */
export const connectorCommand = (
  workspace: string,
  connector: string | null,
  settings: readonly (readonly [option: string, value: string])[],
): string =>
  [
    `tributary admin connectors update ${workspace} ${connector === null ? 'CONNECTOR' : word(connector)}`,
    ...settings.map(([option, value]) => `--${option} '${escaped(value)}'`),
  ].join(' ');

export const claimCommand = (workspace: string, namespaces: readonly string[]) =>
  connectorCommand(
    workspace,
    null,
    namespaces.map((namespace) => ['add-namespace', namespace] as const),
  );

const escaped = (text: string): string => text.replaceAll("'", `'\\''`);
const word = (text: string): string => (/[^\w.-]/.test(text) ? `'${escaped(text)}'` : text);
