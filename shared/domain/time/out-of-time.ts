/** Work that was not begun, because the time of its worker is nearly up: somebody else begins it. */
export class OutOfTime extends Error {}
