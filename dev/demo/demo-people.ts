/** Who works in the demo workspace beside its owner, one of each role; all have the owner's password. */
export const demoPeople = [
  { name: 'Mira Castellanos', email: 'mira@waymark.example', role: 'admin' },
  { name: 'Jonas Lindqvist', email: 'jonas@waymark.example', role: 'member' },
  { name: 'Aiko Tanaka', email: 'aiko@waymark.example', role: 'viewer' },
] as const;
