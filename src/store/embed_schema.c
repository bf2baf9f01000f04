/*
 * Built and run while building: writes the migrations as C, so that the program needs no file at run time.
 *     embed_schema OUTPUT 001.sql 002.sql …
 */
#include <stdio.h>
#include <stdlib.h>

static void write_step(FILE *to, const char *path, int number)
{
    FILE *from = fopen(path, "rb");
    if (!from) {
        perror(path);
        exit(1);
    }
    fprintf(to, "static const char step_%d[] = {", number);
    int byte;
    for (long column = 0; (byte = getc(from)) != EOF; column++)
        fprintf(to, "%s%d,", column % 24 == 0 ? "\n" : "", byte);
    fprintf(to, "0};\n");
    fclose(from);
}

int main(int argc, char **argv)
{
    FILE *to = argc > 2 ? fopen(argv[1], "wb") : NULL;
    if (!to) {
        fprintf(stderr, "usage: embed_schema OUTPUT FILE.sql...\n");
        return 1;
    }
    fprintf(to, "#include \"schema.h\"\n");
    for (int i = 2; i < argc; i++)
        write_step(to, argv[i], i - 1);
    fprintf(to, "const char *const schema_steps[] = {");
    for (int i = 2; i < argc; i++)
        fprintf(to, "step_%d, ", i - 1);
    fprintf(to, "};\nconst int schema_version = %d;\n", argc - 2);
    return fclose(to) == 0 ? 0 : 1;
}
