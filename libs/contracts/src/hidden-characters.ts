/** Characters that people cannot see, and those that end a line or change the order of the text around them. */
export const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;
