package io.github.libfar.agent;

/** The methods of StringBuilder and StringBuffer that programs call by way of the run time. */
final class TextMethods {
  static final String[] METHODS = {
    "append(Ljava/lang/Object;)Ljava/lang/@;", "append(Ljava/lang/String;)Ljava/lang/@;",
    "append(Ljava/lang/StringBuffer;)Ljava/lang/@;",
    "append(Ljava/lang/CharSequence;)Ljava/lang/@;", "append([C)Ljava/lang/@;",
    "append(Z)Ljava/lang/@;", "append(C)Ljava/lang/@;", "append(I)Ljava/lang/@;",
    "append(J)Ljava/lang/@;", "append(F)Ljava/lang/@;", "append(D)Ljava/lang/@;",
    "append(Ljava/lang/CharSequence;II)Ljava/lang/@;", "append([CII)Ljava/lang/@;",
    "appendCodePoint(I)Ljava/lang/@;", "insert(ILjava/lang/Object;)Ljava/lang/@;",
    "insert(ILjava/lang/String;)Ljava/lang/@;", "insert(ILjava/lang/CharSequence;)Ljava/lang/@;",
    "insert(I[C)Ljava/lang/@;", "insert(IZ)Ljava/lang/@;", "insert(IC)Ljava/lang/@;",
    "insert(II)Ljava/lang/@;", "insert(IJ)Ljava/lang/@;", "insert(IF)Ljava/lang/@;",
    "insert(ID)Ljava/lang/@;", "insert(ILjava/lang/CharSequence;II)Ljava/lang/@;",
    "insert(I[CII)Ljava/lang/@;", "delete(II)Ljava/lang/@;", "deleteCharAt(I)Ljava/lang/@;",
    "replace(IILjava/lang/String;)Ljava/lang/@;", "reverse()Ljava/lang/@;", "setLength(I)V",
    "setCharAt(IC)V", "toString()Ljava/lang/String;", "length()I", "charAt(I)C",
    "substring(I)Ljava/lang/String;", "substring(II)Ljava/lang/String;",
    "subSequence(II)Ljava/lang/CharSequence;", "indexOf(Ljava/lang/String;)I",
    "indexOf(Ljava/lang/String;I)I", "lastIndexOf(Ljava/lang/String;)I",
    "lastIndexOf(Ljava/lang/String;I)I", "chars()Ljava/util/stream/IntStream;",
    "codePoints()Ljava/util/stream/IntStream;", "codePointAt(I)I", "getChars(II[CI)V",
  };

  private TextMethods() {}
}
