type Names = string | string[] | undefined;
type Locked = {
  readonly name?: string;
  readonly version?: string;
  readonly os?: Names;
  readonly cpu?: Names;
  readonly optional?: boolean;
  readonly integrity?: string | undefined;
  readonly inBundle?: boolean;
};

export function ensureServiceInstalled(): void;
export function ensureInstalled(): void;
export function verifiable(packages: Readonly<Record<string, Locked>>): {
  packages: Record<string, Locked>;
  refused: { readonly name: string; readonly os?: Names; readonly cpu?: Names }[];
};
export function withAddresses(
  packages: Readonly<Record<string, Locked>>,
  registry: string,
): Record<string, Locked & { readonly resolved?: string }>;
