/** Characters that people cannot see, that end a line, or that change the order of a text. */
export const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;
