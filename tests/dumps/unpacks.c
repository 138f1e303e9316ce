/* Stands for a packer: puts the program that its first argument names into memory without a file,
   as the stub of UPX does, and begins it with the other arguments. */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct stat info;
	int fd = open(argv[1], O_RDONLY);
	if (argc < 2 || fd < 0 || fstat(fd, &info) != 0)
		return 1;
	uint8_t *file = malloc((size_t)info.st_size);
	if (read(fd, file, (size_t)info.st_size) != info.st_size)
		return 1;
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	const Elf64_Phdr *segment = (const Elf64_Phdr *)(file + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++, segment++) {
		uint64_t start = segment->p_vaddr & ~UINT64_C(4095);
		uint64_t end = (segment->p_vaddr + segment->p_memsz + 4095) & ~UINT64_C(4095);
		if (segment->p_type != PT_LOAD)
			continue;
		if (mmap((void *)start, end - start, PROT_READ | PROT_WRITE,
		         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
		    != (void *)start)
			return 1;
		memcpy((void *)segment->p_vaddr, file + segment->p_offset, segment->p_filesz);
		mprotect((void *)start, end - start,
		         PROT_READ | (segment->p_flags & PF_W ? PROT_WRITE : 0)
		             | (segment->p_flags & PF_X ? PROT_EXEC : 0));
	}
	uint64_t *stack = (uint64_t *)((uint8_t *)mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
	                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
	                               + (1 << 20) - 4096);
	size_t at = 0;
	stack[at++] = (uint64_t)(argc - 1);
	for (int i = 1; i < argc; i++)
		stack[at++] = (uint64_t)argv[i];
	stack[at++] = 0; /* the end of the arguments */
	stack[at++] = 0; /* there is no environment */
	static const uint64_t passed[] = {AT_PAGESZ, AT_RANDOM, AT_HWCAP, AT_CLKTCK};
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
		stack[at++] = passed[i];
		stack[at++] = getauxval(passed[i]);
	}
	stack[at++] = AT_NULL;
	stack[at++] = 0;
	__asm__ volatile("mov %0, %%rsp\n\txor %%edx, %%edx\n\tjmp *%1" ::"r"(stack),
	                 "r"(header->e_entry));
	return 1;
}
