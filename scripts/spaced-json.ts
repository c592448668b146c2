const lineLength = 120;

/** JSON for files that people compare: what fits on a line is on one, and so is a text that CloudFormation joins. */
export function spacedJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  const fits = indent.length + line.length <= lineLength || line.startsWith('{"Fn::Join"');
  if (typeof value !== 'object' || value === null || fits) return line;
  const inner = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((one) => spacedJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spacedJson(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.map((one) => inner + one).join(',\n')}\n${indent}${close}`;
}
