export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; before, some browsers would find nothing.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
