/** The signatures, the fixed lengths and the methods of the ZIP format: APPNOTE 6.3.10, 4.3 and 4.4.5. */
export const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 } as const;
export const lengths = { end: 22, central: 46, local: 30, comment: 0xffff } as const;
export const methods = { stored: 0, deflated: 8 } as const;
