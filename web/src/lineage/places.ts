/** Where a part of the picture stands, in pixels of its natural size. */
export type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type Places = ReadonlyMap<string, Place>;
